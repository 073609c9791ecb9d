// Teaches ThreadSanitizer Swift's Mutex.
//
// On Linux a free Mutex is locked with an atomic instruction, which ThreadSanitizer sees. To lock one
// that is held, a thread waits in the kernel, which hands it over (FUTEX_LOCK_PI). That happens in the
// toolchain's own library, which is not instrumented: accesses under the lock would look like a race.
// These three functions override the library's, call it, and report each release and acquisition.
// Nothing is suppressed, so every other race is still found.
//
// Scripts/sanitize links it into what it builds, and checks with proof.swift that it works.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex
#define NAME(name) "$s15Synchronization12_MutexHandleV" name

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(NAME("9_lockSlowyys6UInt32VF"));
SWIFT bool try_lock_slow(SELF) __asm__(NAME("12_tryLockSlowSbyF"));
SWIFT void unlock_slow(SELF) __asm__(NAME("11_unlockSlowyyF"));

static SWIFT void (*toolchain_lock_slow)(uint32_t thread, SELF);
static SWIFT bool (*toolchain_try_lock_slow)(SELF);
static SWIFT void (*toolchain_unlock_slow)(SELF);

__attribute__((constructor)) static void find(void) {
  *(void **)&toolchain_lock_slow = dlsym(RTLD_NEXT, NAME("9_lockSlowyys6UInt32VF"));
  *(void **)&toolchain_try_lock_slow = dlsym(RTLD_NEXT, NAME("12_tryLockSlowSbyF"));
  *(void **)&toolchain_unlock_slow = dlsym(RTLD_NEXT, NAME("11_unlockSlowyyF"));
}

SWIFT void lock_slow(uint32_t thread, SELF) {
  toolchain_lock_slow(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT bool try_lock_slow(SELF) {
  bool is_taken = toolchain_try_lock_slow(mutex);
  if (is_taken) __tsan_acquire(mutex);
  return is_taken;
}

SWIFT void unlock_slow(SELF) {
  __tsan_release(mutex);
  toolchain_unlock_slow(mutex);
}
