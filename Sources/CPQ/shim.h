#ifndef FANFARE_CPQ_SHIM_H
#define FANFARE_CPQ_SHIM_H

#include <libpq-fe.h>

/* The fields of an error are named by characters, which Swift does not import. */

static inline const char *fanfare_pq_state(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

static inline const char *fanfare_pq_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

/* Without this, libpq prints what the server notes to standard error. */

static inline void fanfare_pq_ignore(void *argument, const PGresult *result) {
  (void)argument;
  (void)result;
}

static inline void fanfare_pq_silence(PGconn *connection) {
  PQsetNoticeReceiver(connection, fanfare_pq_ignore, (void *)0);
}

#endif
