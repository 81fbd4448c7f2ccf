# Prints what bash offers for the last word of a command.
# Usage: complete.sh SCRIPT COMMAND WORD
source "$1"
COMP_WORDS=("$2" "$3")
COMP_CWORD=1
function=$(complete -p "$2" | sed 's/.*-F \([^ ]*\).*/\1/')
"$function" "$2" "$3" "$2"
printf '%s\n' "${COMPREPLY[@]}"
