#ifndef FANFARE_CSQLITE_SHIM_H
#define FANFARE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* sqlite3_db_config takes its arguments in a way that Swift cannot call. */
static inline int fanfare_sqlite_switch(sqlite3 *database, int option, int on) {
  return sqlite3_db_config(database, option, on, (int *)0);
}

/* A virtual table and a cursor on it: SQLite's part comes first, ours follows. */
typedef struct {
  sqlite3_vtab base;
  void *table;
} fanfare_sqlite_table;

typedef struct {
  sqlite3_vtab_cursor base;
  void *cursor;
} fanfare_sqlite_cursor;

#endif
