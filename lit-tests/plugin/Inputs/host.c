// A host of plugins: loads the plugin and asks it what it is, as mlir::PassPlugin::load and
// mlir::DialectPlugin::load do.

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  uint32_t apiVersion;
  const char *name, *version;
  void (*callback)(void);
} Info;

int main(int argc, char **argv) {
  void *plugin = argc == 2 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
  if (!plugin) {
    fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "usage: host PLUGIN");
    return 1;
  }
  const char *names[] = {"mlirGetPassPluginInfo", "mlirGetDialectPluginInfo"};
  for (int i = 0; i < 2; ++i) {
    Info (*get)(void) = (Info(*)(void))dlsym(plugin, names[i]);
    printf("%s: version %u\n", names[i], get().apiVersion);
  }
  return 0;
}
