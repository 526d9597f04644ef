/* Start of a Cortex-M4: the vectors at the start of memory hold the stack pointer and the first
 * instruction, and newlib's _start does the rest. */
#include <stdint.h>

extern uint32_t stack_top;
void _start(void);

/* There are no C++ constructors and destructors to run. */
void _init(void) {}
void _fini(void) {}

static void begin(void) {
  *(volatile uint32_t*)0xe000ed88u |=
      0xf00000u; /* CPACR: the floating-point unit is off at first */
  __asm__ volatile("dsb\n isb");
  _start();
}

static void stop(void) {
  for (;;) {
  }
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void)) & stack_top,
    begin,
    stop,
    stop,
    stop,
    stop,
    stop,
    0,
    0,
    0,
    0,
    stop,
    stop,
    0,
    stop,
    stop};
