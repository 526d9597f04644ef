// Replaces libxml2 in a wheel (docs/reference/wheels.md): netCDF uses it only for answers of DAP 4
// servers, which Tidewise does not use.
#include <stddef.h>
#include <stdlib.h>

void (*xmlFree)(void*) = free;
void xmlCleanupParser(void) {}

void* xmlReadMemory(const char* text, int size, const char* url, const char* encoding,
                    int options) {
  (void)text, (void)size, (void)url, (void)encoding, (void)options;
  return NULL;
}
void xmlFreeDoc(void* document) { (void)document; }
void* xmlDocGetRootElement(const void* document) {
  (void)document;
  return NULL;
}
unsigned char* xmlNodeGetContent(const void* node) {
  (void)node;
  return NULL;
}
unsigned char* xmlGetProp(const void* node, const unsigned char* name) {
  (void)node, (void)name;
  return NULL;
}
unsigned char* xmlNodeListGetString(void* document, const void* list, int in_line) {
  (void)document, (void)list, (void)in_line;
  return NULL;
}
