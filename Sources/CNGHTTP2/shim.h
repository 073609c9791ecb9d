#ifndef FANFARE_CNGHTTP2_SHIM_H
#define FANFARE_CNGHTTP2_SHIM_H

#include <nghttp2/nghttp2.h>

// Came with nghttp2 1.57, and with the security updates of older ones: used where it is there.
extern void nghttp2_option_set_stream_reset_rate_limit(
    nghttp2_option *option, uint64_t burst, uint64_t rate) __attribute__((weak));

static inline void fanfare_lift_stream_reset_limit(nghttp2_option *option) {
  if (nghttp2_option_set_stream_reset_rate_limit) {
    nghttp2_option_set_stream_reset_rate_limit(option, UINT64_MAX, UINT64_MAX);
  }
}

// Came with nghttp2 1.61, and with security updates. It counts a frame again whenever its header
// arrives in parts, so that a slow peer breaks a small limit.
extern void nghttp2_option_set_max_continuations(nghttp2_option *option, size_t val)
    __attribute__((weak));

static inline void fanfare_set_continuation_limit(nghttp2_option *option, size_t limit) {
  if (nghttp2_option_set_max_continuations) {
    nghttp2_option_set_max_continuations(option, limit);
  }
}

// NGHTTP2_ERR_TOO_MANY_CONTINUATIONS, which came with it: older headers do not have it.
static inline int32_t fanfare_too_many_continuations(void) { return -905; }

// Came with nghttp2 1.50, together with the check that it turns off.
extern void nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(
    nghttp2_option *option, int val) __attribute__((weak));

static inline void fanfare_allow_surrounding_blanks(nghttp2_option *option) {
  if (nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation) {
    nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(option, 1);
  }
}

#endif
