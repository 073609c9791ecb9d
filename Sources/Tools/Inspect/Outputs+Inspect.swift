internal import Reporting

// The output of `inspect`, by kind of file.
extension Outputs {
  static let inspected = OutputShape.either(
    [privateKey, certificates, providerToken, payload, deviceTokens, unknownFile].map {
      .object([OutputField("file", .text, "The file as it was given.")] + $0)
    })

  private static func kind(_ words: String...) -> OutputField {
    OutputField("kind", .word(words), "What the file contains.")
  }

  private static let permissions = [
    OutputField("mode", .orNull(.text), "The file's permissions, in octal."),
    OutputField("readableByOthers", .orNull(.truth), "Whether others can read it."),
    OutputField("writableByOthers", .orNull(.truth), "Whether others can write to it."),
  ]

  private static let verdict = [
    OutputField("problem", .orNull(.text), "Why it cannot be used."),
    OutputField("fix", .orNull(.text), "What to do."),
  ]

  private static let privateKey: [OutputField] =
    [
      kind("private key"), OutputField("form", .text, "PKCS#8, SEC1 or traditional."),
      OutputField("encoding", .text, "PEM, DER or base64."),
      OutputField("algorithm", .orNull(.text), "The algorithm; null while it is encrypted."),
      OutputField("lockedWith", .orNull(.text), "How it is encrypted."),
      OutputField("iterations", .orNull(.integer), "The rounds of the encryption."),
      OutputField("signsProviderTokens", .orNull(.truth), "Whether it can sign them."),
    ] + verdict + [
      OutputField("keyID", .orNull(.text), "The key ID in the file's name."),
      OutputField("publicKeySHA256", .orNull(.text), "The SHA-256 of its public half."),
    ] + permissions

  private static let certificates: [OutputField] =
    [
      kind("certificates", "PKCS#12"),
      OutputField("encryption", .orNull(.object(encryption)), "How a PKCS#12 is encrypted."),
      OutputField("isLocked", .truth, "Whether part of it could not be decrypted."),
      OutputField("signsIn", .orNull(.truth), "Whether it can authenticate pushes."),
    ] + verdict + [
      OutputField("certificate", .orNull(.integer), "The index of the one shown to APNs, from 0."),
      OutputField("issuers", .integer, "How many issuers are sent with it."),
      OutputField("certificates", .array(.object(certificate)), "Its certificates."),
      OutputField("keys", .array(.object(key)), "Its private keys."),
      OutputField("recoding", .array(.text), "Commands that re-encrypt it with AES."),
    ] + permissions

  private static let encryption = [
    OutputField("algorithms", .array(.text), "The algorithms."),
    OutputField("mac", .orNull(.text), "The algorithm of the MAC."),
    OutputField("iterations", .integer, "The rounds."),
    OutputField("isLegacy", .truth, "Whether OpenSSL 3 needs -legacy."),
  ]

  private static let certificate = [
    OutputField("commonName", .orNull(.text), "The common name."),
    OutputField("purpose", .orNull(.text), "The kind of Apple's certificate."),
    OutputField("isForPush", .truth, "Whether it is for pushes."),
    OutputField("userID", .orNull(.text), "The app's bundle ID."),
    OutputField("organizationalUnit", .orNull(.text), "The team."),
    OutputField("environments", .array(.text), "The environments it is for."),
    OutputField("topics", .array(.object(topics)), "The topics it is for."),
    OutputField("notBefore", .text, "When it becomes valid."),
    OutputField("notAfter", .text, "When it expires."),
    OutputField("daysLeft", .integer, "Days until then; negative after it."),
    OutputField("issuer", .orNull(.text), "The issuer."),
    OutputField("serial", .text, "The serial number."),
    OutputField("keyAlgorithm", .orNull(.text), "The algorithm of its key."),
    OutputField("sha256", .text, "The SHA-256 of the certificate."),
    OutputField("publicKeySHA256", .orNull(.text), "The SHA-256 of its public key."),
    OutputField("problems", .array(.text), "What is wrong with it."),
  ]

  private static let topics = [
    OutputField("topic", .text, "The topic."),
    OutputField("labels", .array(.text), "What it is for."),
  ]

  private static let key = [
    OutputField("algorithm", .text, "The algorithm."),
    OutputField("publicKeySHA256", .orNull(.text), "The SHA-256 of its public half."),
    OutputField("fits", .array(.integer), "The indexes of its certificates."),
  ]

  private static let providerToken: [OutputField] =
    [
      kind("provider token"), OutputField("algorithm", .orNull(.text), "The value of alg."),
      OutputField("keyID", .orNull(.text), "The value of kid."),
      OutputField("teamID", .orNull(.text), "The value of iss."),
      OutputField("issuedAt", .orNull(.text), "The time of iat."),
      OutputField("ageSeconds", .orNull(.integer), "How old it is."),
      OutputField("validUntil", .orNull(.text), "When it expires."),
      OutputField("state", .orNull(.word(["valid", "expired", "future"])), "Whether it is valid."),
      OutputField("signature", .orNull(.text), "raw or DER."),
      OutputField("signedByKey", .orNull(.truth), "Whether the given key signed it."),
      OutputField("otherMembers", .array(.text), "Members that APNs does not use."),
      OutputField("problems", .array(.text), "Mistakes in how it was made."),
    ] + permissions

  private static let payload = [
    kind("payload"), OutputField("bytes", .integer, "Its length as sent."),
    OutputField("limits", .array(.object(limit)), "Whether it is within each limit."),
    OutputField("type", .orNull(.text), "The push type; null if it must be given."),
    OutputField("typeSource", .orNull(.word(["inferred", "folder"])), "What tells the type."),
    OutputField("targetBundle", .orNull(.text), "The app that an .apns file names."),
    OutputField("variables", .array(.text), "The variables of its placeholders."),
    OutputField("appleKeys", .array(.object(appleKey)), "Apple's keys in it."),
    OutputField("ownKeys", .array(.object(ownKey)), "The app's own keys in it."),
    OutputField("banner", .orNull(.object(banner)), "What the lock screen shows."),
    OutputField("silence", .orNull(.text), "Why the lock screen shows nothing."),
  ]

  private static let limit = [
    OutputField("name", .text, "What the limit is of."),
    OutputField("bytes", .integer, "The limit."), OutputField("fits", .truth, "Whether it fits."),
  ]

  private static let appleKey = [
    OutputField("key", .text, "The key's path."),
    OutputField("meaning", .orNull(.text), "What it is for; null if Apple does not document it."),
  ]

  private static let ownKey = [
    OutputField("key", .text, "The key."), OutputField("kind", .text, "The kind of its value."),
  ]

  private static let banner = [
    OutputField("title", .orNull(.text), "The title."),
    OutputField("subtitle", .orNull(.text), "The subtitle."),
    OutputField("body", .array(.text), "The lines of the text."),
  ]

  private static let deviceTokens = [
    kind("device tokens"), OutputField("format", .word(["txt", "csv", "jsonl"]), "The format."),
    OutputField("lines", .integer, "Lines read."),
    OutputField("tokens", .integer, "Device tokens."),
    OutputField("duplicates", .integer, "Lines whose token appeared before."),
    OutputField("badLines", .integer, "Lines that are not a valid recipient."),
    OutputField("lengths", .array(.object(length)), "How many tokens have which length."),
    OutputField("columns", .array(.text), "The columns of the list."),
    OutputField("firstBadLines", .array(.object(badLine)), "The first bad lines."),
  ]

  private static let length = [
    OutputField("digits", .integer, "The length."), OutputField("tokens", .integer, "How many."),
  ]

  private static let badLine = [
    OutputField("line", .integer, "The line."), OutputField("problem", .text, "What is wrong."),
  ]

  private static let unknownFile = [
    kind("unknown"), OutputField("problem", .orNull(.text), "Why it cannot be told."),
    OutputField("fix", .orNull(.text), "What to do."),
  ]
}
