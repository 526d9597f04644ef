// Reports the feature that an x86-64 processor lacks for x86-64-v3, for which Tidewise is compiled.
// This file is compiled for any processor, since it is called before anything else is loaded.
#include <Python.h>

static PyObject* missing(PyObject* module, PyObject* arguments) {
  (void)module;
  (void)arguments;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return PyUnicode_FromString("AVX2");
  if (!__builtin_cpu_supports("fma")) return PyUnicode_FromString("FMA");
  if (!__builtin_cpu_supports("bmi2")) return PyUnicode_FromString("BMI2");
#endif
  return PyUnicode_FromString("");
}

static PyMethodDef functions[] = {{"missing", missing, METH_NOARGS,
                                   "missing() -> str\n\nWhat this processor lacks to run Tidewise; "
                                   "empty where it lacks nothing."},
                                  {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_processor", NULL, 0, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__processor(void) { return PyModule_Create(&definition); }
