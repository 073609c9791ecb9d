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

// EC_KEY is deprecated in favour of a decoder that takes eight times as long, most of it for
// looking through every format it knows. Takes ECPrivateKey (RFC 5915); the curve is P-256 unless
// it names one. NULL when it cannot be read, or the number is none of the curve's.
static inline EVP_PKEY *fanfare_ec_key(const unsigned char *der, long count) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  EVP_PKEY *key = EVP_PKEY_new();
  EC_KEY *ec = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
  if (key && ec && d2i_ECPrivateKey(&ec, &der, count)) {
    const BIGNUM *number = EC_KEY_get0_private_key(ec);
    const BIGNUM *order = EC_GROUP_get0_order(EC_KEY_get0_group(ec));
    if (!BN_is_zero(number) && BN_cmp(number, order) < 0 &&
        EVP_PKEY_assign(key, EVP_PKEY_EC, ec)) {
      return key;
    }
  }
  EC_KEY_free(ec);
  EVP_PKEY_free(key);
  return NULL;
#pragma clang diagnostic pop
}

// These are macros around SSL_CTX_ctrl and SSL_ctrl.
static inline int fanfare_ssl_ctx_set_min_proto_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version);
}

static inline int fanfare_ssl_ctx_set_max_proto_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_max_proto_version(context, version);
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

// What a STACK_OF(X509) is handled with is macros.
static inline STACK_OF(X509) *fanfare_x509_stack_new(void) { return sk_X509_new_null(); }

static inline int fanfare_x509_stack_count(const STACK_OF(X509) *stack) {
  return stack ? sk_X509_num(stack) : 0;
}

static inline X509 *fanfare_x509_stack_get(const STACK_OF(X509) *stack, int index) {
  return sk_X509_value(stack, index);
}

static inline int fanfare_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
  return sk_X509_push(stack, certificate);
}

static inline void fanfare_x509_stack_free(STACK_OF(X509) *stack) {
  sk_X509_pop_free(stack, X509_free);
}

// Whether a certificate names hosts or addresses where they belong (RFC 6125 section 6.4.4). What a
// STACK_OF(GENERAL_NAME) is handled with is macros.
static inline int fanfare_x509_names_hosts(const X509 *certificate) {
  GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
  int found = 0;
  for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
    int type = sk_GENERAL_NAME_value(names, i)->type;
    if (type == GEN_DNS || type == GEN_IPADD) found = 1;
  }
  GENERAL_NAMES_free(names);
  return found;
}

// Flags out of several macros; letters beyond ASCII stay what they are.
static inline unsigned long fanfare_name_on_one_line(void) {
  return XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB;
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
  switch (ERR_GET_LIB(code)) {
  case ERR_LIB_PKCS12: return reason == PKCS12_R_UNKNOWN_DIGEST_ALGORITHM;
  case ERR_LIB_PEM: return reason == PEM_R_UNSUPPORTED_ENCRYPTION;
  case ERR_LIB_EVP:
    return reason == EVP_R_UNKNOWN_PBE_ALGORITHM || reason == EVP_R_UNSUPPORTED_CIPHER ||
           reason == EVP_R_UNSUPPORTED_KEY_DERIVATION_FUNCTION ||
           reason == EVP_R_UNSUPPORTED_PRF || reason == EVP_R_UNSUPPORTED_ALGORITHM;
  default: return 0;
  }
}

static inline int fanfare_err_is_end_of_pem(unsigned long code) {
  return ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE;
}

#endif
