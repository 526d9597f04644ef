// Replaces libcrypto in a wheel (docs/reference/wheels.md): HDF5 uses it only to sign requests to
// S3, which Tidewise does not send.
#include <stddef.h>

const void* EVP_sha256(void) { return NULL; }

unsigned char* HMAC(const void* digest, const void* key, int key_length, const unsigned char* data,
                    size_t length, unsigned char* code, unsigned int* code_length) {
  (void)digest, (void)key, (void)key_length, (void)data, (void)length, (void)code;
  if (code_length != NULL) *code_length = 0;
  return NULL;
}

unsigned char* SHA256(const unsigned char* data, size_t length, unsigned char* digest) {
  (void)data, (void)length, (void)digest;
  return NULL;
}
