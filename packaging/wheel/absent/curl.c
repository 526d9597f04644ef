// Replaces libcurl in a wheel (docs/reference/wheels.md): Tidewise downloads nothing. The functions
// that HDF5, netCDF and PROJ call return errors.
#include <stddef.h>

enum { ok = 0, not_built_in = 4 };  // CURLcode

int curl_global_init(long flags) {
  (void)flags;
  return ok;
}
void curl_global_cleanup(void) {}

void* curl_easy_init(void) { return NULL; }
void curl_easy_cleanup(void* handle) { (void)handle; }
int curl_easy_setopt(void* handle, int option, ...) {
  (void)handle, (void)option;
  return not_built_in;
}
int curl_easy_getinfo(void* handle, int info, ...) {
  (void)handle, (void)info;
  return not_built_in;
}
int curl_easy_perform(void* handle) {
  (void)handle;
  return not_built_in;
}
const char* curl_easy_strerror(int code) {
  return code == ok ? "no error" : "this build fetches nothing over a network";
}

void* curl_slist_append(void* list, const char* text) {
  (void)list, (void)text;
  return NULL;
}
void curl_slist_free_all(void* list) { (void)list; }

// The first members of curl_version_info_data, those of CURLVERSION_FIRST.
struct version_info {
  int age;
  const char* version;
  unsigned int version_number;
  const char* host;
  int features;
  const char* ssl_version;
  long ssl_version_number;
  const char* libz_version;
  const char* const* protocols;
};

const struct version_info* curl_version_info(int age) {
  static const char* const protocols[] = {NULL};
  static const struct version_info info = {0, "7.0.0", 0x070000, "", 0, NULL, 0, NULL, protocols};
  (void)age;
  return &info;
}
