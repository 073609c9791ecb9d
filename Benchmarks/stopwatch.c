// Runs one command and measures it: wall time, processor time and largest resident size.
//
// Written in C because a child's largest resident size starts at that of the process that forked
// it, and a script's own is larger than many of the programs measured here.
//
//   cc -O2 -Wall -Wextra -Werror -o stopwatch stopwatch.c
//   stopwatch SECONDS RESULT COMMAND [ARGUMENT ...]
//
// Writes {"wall","user","system","resident","status","timedOut"} to the file RESULT: seconds,
// bytes, and the exit status (128 + the signal, if one ended it). The command is killed after
// SECONDS, and when the stopwatch itself is told to end.

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t timed_out;
static volatile pid_t child;

static void on_signal(int signal) {
  if (signal == SIGALRM) timed_out = 1;
  if (child > 0) kill(child, SIGKILL);
}

static void fail(const char *what) {
  perror(what);
  exit(2);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static long long resident_bytes(const struct rusage *usage) {
#ifdef __APPLE__
  return usage->ru_maxrss;
#else
  return usage->ru_maxrss * 1024LL;
#endif
}

// The signals stay blocked until the child's id is known, so that none can pass it by.
static void start(char **command) {
  sigset_t ending, before;
  sigemptyset(&ending);
  sigaddset(&ending, SIGALRM);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  sigprocmask(SIG_BLOCK, &ending, &before);
  signal(SIGALRM, on_signal);
  signal(SIGTERM, on_signal);
  signal(SIGINT, on_signal);
  child = fork();
  if (child < 0) fail("stopwatch: fork");
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child > 0) return;
  execvp(command[0], command);
  perror(command[0]);
  _exit(127);
}

static void write_result(const char *path, double wall, int status, const struct rusage *usage) {
  int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  FILE *file = fopen(path, "w");
  if (!file) fail(path);
  fprintf(
      file,
      "{\"wall\":%.6f,\"user\":%.6f,\"system\":%.6f,\"resident\":%lld,\"status\":%d,"
      "\"timedOut\":%s}\n",
      wall, seconds(usage->ru_utime), seconds(usage->ru_stime), resident_bytes(usage), code,
      timed_out ? "true" : "false");
  if (fclose(file) != 0) fail(path);
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: stopwatch SECONDS RESULT COMMAND [ARGUMENT ...]\n");
    return 2;
  }
  int status;
  struct rusage usage;
  double started = now();
  start(arguments + 3);
  alarm((unsigned)atoi(arguments[1]));
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) fail("stopwatch: wait4");
  write_result(arguments[2], now() - started, status, &usage);
  return 0;
}
