// The Python face of the kernel.
#include <nanobind/nanobind.h>

NB_MODULE(_kernel, m) { m.doc() = "The fast twin of the rules of PÜNCT."; }
