#ifndef FANFARE_COPENSSL_SHIM_H
#define FANFARE_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// EVP_PKEY_Q_keygen is variadic.
static inline EVP_PKEY *fanfare_generate_p256_key(void) {
  return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

// These are macros around SSL_CTX_ctrl and SSL_ctrl.
static inline int fanfare_ssl_ctx_set_min_proto_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version);
}

// HTTP/2 frames carry their own length: a lost close_notify can hide nothing.
static inline void fanfare_ssl_ctx_take_eof_as_the_end(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
}

static inline long fanfare_ssl_ctx_set_mode(SSL_CTX *context, long mode) {
  return SSL_CTX_set_mode(context, mode);
}

static inline int fanfare_ssl_ctx_set_ex_data(SSL_CTX *context, int index, void *value) {
  return SSL_CTX_set_ex_data(context, index, value);
}

static inline long fanfare_ssl_ctx_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
  return SSL_CTX_add0_chain_cert(context, certificate);
}

// SSL_CTX_get_ex_new_index is a macro around CRYPTO_get_ex_new_index.
static inline int fanfare_ssl_ctx_new_ex_index(void) {
  return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}

// A macro around BIO_ctrl, and its result points into the BIO.
static inline long fanfare_bio_get_mem_data(BIO *bio, char **data) {
  return BIO_get_mem_data(bio, data);
}

// OPENSSL_free is a macro around CRYPTO_free.
static inline void fanfare_free(void *memory) { OPENSSL_free(memory); }

// These reasons are macros. What stands behind all of them: an algorithm that the providers at hand
// do not have.
static inline int fanfare_err_is_unsupported(unsigned long code) {
  int reason = ERR_GET_REASON(code);
  if (reason == ERR_R_UNSUPPORTED) return 1;
  if (ERR_GET_LIB(code) == ERR_LIB_PKCS12) return reason == PKCS12_R_UNKNOWN_DIGEST_ALGORITHM;
  return ERR_GET_LIB(code) == ERR_LIB_EVP
         && (reason == EVP_R_UNKNOWN_PBE_ALGORITHM || reason == EVP_R_UNSUPPORTED_CIPHER
             || reason == EVP_R_UNSUPPORTED_KEY_DERIVATION_FUNCTION
             || reason == EVP_R_UNSUPPORTED_PRF || reason == EVP_R_UNSUPPORTED_ALGORITHM);
}

static inline int fanfare_err_is_end_of_pem(unsigned long code) {
  return ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE;
}

#endif
