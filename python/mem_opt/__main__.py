"""The command `python -m mem_opt`: plans a table of buffers."""

from __future__ import annotations

import argparse
import sys

from . import STRATEGIES, Error, InternalError, InvalidInput, NoPlan, __version__, plan_csv
from ._sizes import n_bytes


def limit(text):
    """A limit on the command line."""
    try:
        return n_bytes(text, "it")
    except InvalidInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def arguments():
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m mem_opt",
        description="Plans memory: an address in one arena for every buffer of a table.",
        epilog="Exit status 0: planned; 1: no plan within the capacity; 2: bad input or usage.",
    )
    parser.add_argument("file", help="a table of buffers (CSV): id,lower,upper,size[,alignment,gaps,...]")
    parser.add_argument("--capacity", type=limit, metavar="SIZE",
                        help="size available, in bytes or as in 64KiB or 1.5MiB")
    parser.add_argument("--strategy", default="auto", choices=STRATEGIES, metavar="NAME",
                        help=f"strategy for choosing addresses: {', '.join(STRATEGIES)}")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", help="search for this long")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of random searches")
    parser.add_argument("--threads", type=int, default=0, metavar="N",
                        help="number of search threads; 0 for one per core")
    parser.add_argument("--replan", action="store_true", help="ignore the offsets in the table")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON instead of a table")
    form.add_argument("--html", action="store_true", help="print a page for a browser")
    form.add_argument("--svg", action="store_true", help="print a picture")
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this file")
    parser.add_argument("--version", action="version", version=f"mem_opt {__version__}")
    return parser


def shown(plan, given):
    """A plan in the form that the command line asks for."""
    title = given.file
    if given.json:
        return plan.to_json()
    if given.html:
        return plan.html(title)
    return plan.svg(title) if given.svg else plan.to_csv()


def run(given):
    """Plans the table, and returns the exit status."""
    failure = None
    try:
        plan = plan_csv(given.file, given.capacity, given.strategy, given.time_limit, given.seed,
                        replan=given.replan, threads=given.threads)
    except NoPlan as error:
        if error.plan is None:
            raise
        # Write the best plan even if it exceeds the capacity.
        failure, plan = error, error.plan
    text = shown(plan, given)
    if given.output is None:
        sys.stdout.write(text)
    else:
        with open(given.output, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    if not given.json:
        interrupted = "interrupted; " if plan.interrupted else ""
        print(f"{interrupted}{plan.summary()}", file=sys.stderr)
    if failure is not None:
        print(f"error: {failure}", file=sys.stderr)
    return 0 if failure is None else 1


def main(words=None):
    """Runs the command, and returns its exit status."""
    given = arguments().parse_args(words)
    try:
        return run(given)
    except NoPlan as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except InvalidInput as error:
        print(f"error: {error}", file=sys.stderr)
    except InternalError as error:
        print(f"internal error: {error}", file=sys.stderr)
    except (Error, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
