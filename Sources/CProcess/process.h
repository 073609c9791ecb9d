#ifndef FANFARE_CPROCESS_H
#define FANFARE_CPROCESS_H

#include <sys/resource.h>

// How many arguments the process was started with, its own name included; 0 where the C library does
// not pass them to initializers.
int fanfare_argument_count(void);

// One of them, from 0.
const char *fanfare_argument(int index);

// The environment's variables, ended by NULL. In musl it is a plain variable, which Swift 6 does not
// let anyone read.
char **fanfare_environment(void);

// The limit of open files, like getrlimit and setrlimit: the C libraries disagree about the type of
// RLIMIT_NOFILE.
int fanfare_get_open_files_limit(struct rlimit *limit);
int fanfare_set_open_files_limit(const struct rlimit *limit);

// The same of the main thread's stack, and of the address space.
int fanfare_get_stack_limit(struct rlimit *limit);
int fanfare_set_stack_limit(const struct rlimit *limit);
int fanfare_get_memory_limit(struct rlimit *limit);

// The flag that has posix_spawn start a session. Swift's module of glibc lacks it.
short fanfare_spawn_in_session(void);

#endif
