// Replaces libjbig, which is under the GPL, in a wheel (docs/reference/wheels.md). PROJ reads grids
// with libtiff, which needs libjbig only for fax pages.
#include <stddef.h>

enum { not_implemented = 0x70 };  // JBG_EIMPL

void jbg_dec_init(void* decoder) { (void)decoder; }
void jbg_dec_free(void* decoder) { (void)decoder; }
int jbg_dec_in(void* decoder, unsigned char* data, size_t length, size_t* count) {
  (void)decoder, (void)data, (void)length;
  if (count != NULL) *count = 0;
  return not_implemented;
}
unsigned char* jbg_dec_getimage(const void* decoder, int plane) {
  (void)decoder, (void)plane;
  return NULL;
}
unsigned long jbg_dec_getsize(const void* decoder) {
  (void)decoder;
  return 0;
}
int jbg_newlen(unsigned char* data, size_t length) {
  (void)data, (void)length;
  return not_implemented;
}
const char* jbg_strerror(int code) {
  (void)code;
  return "this build does not read JBIG";
}

// libtiff writes nothing for PROJ.
void jbg_enc_init(void* encoder, unsigned long width, unsigned long height, int planes,
                  unsigned char** image, void (*output)(unsigned char*, size_t, void*),
                  void* file) {
  (void)encoder, (void)width, (void)height, (void)planes, (void)image, (void)output, (void)file;
}
void jbg_enc_out(void* encoder) { (void)encoder; }
void jbg_enc_free(void* encoder) { (void)encoder; }
