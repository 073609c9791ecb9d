internal import APNS
package import Credentials
package import JSONText
internal import PlainText
internal import Reporting
internal import Runs

/// A report on a `.p12` or a file of certificates.
struct CertificateFileReport: JSONDescribed {
  let file: String
  let facts: CertificateFileFacts
  let permissions: FilePermissions?
  /// Seconds since 1970 UTC.
  let now: Int64

  private var certificates: [CertificateReport] {
    facts.certificates.map { CertificateReport(facts: $0, now: now) }
  }

  /// The reason it cannot send pushes: a missing part, or else a certificate fault; nil if it can.
  private var fault: (any Described)? {
    facts.fault ?? facts.leaf.flatMap { certificates[$0].fault }
  }

  static let fields: [OutputField<Self>] = [
    .always(
      "kind", { $0.facts.encryption == nil ? "certificates" : "PKCS#12" },
      "What the file contains.", .word(["certificates", "PKCS#12"]), as: "kind", { $0.kind }),
    .always("encryption", \.facts.encryption, "How a PKCS#12 is encrypted."),
    .people { $0.facts.encryption?.rows ?? [] },
    .always("isLocked", \.facts.isLocked, "Whether part of it could not be decrypted."),
    .always(
      "signsIn", { $0.facts.isLocked ? nil : $0.fault == nil },
      "Whether it can authenticate pushes.", as: "authenticates to APNs"
    ) { .verdict($0.fault?.sentence, isKnown: !$0.facts.isLocked) },
    .always("problem", \.fault?.sentence, "Why it cannot be used."), .fix(\.fault?.fix),
    .always(
      "certificate", \.facts.leaf, "The index of the one shown to APNs, from 0.",
      as: "presented to APNs", { $0.presented }),
    .always("issuers", \.facts.issuers, "How many issuers are sent with it."),
    .people { [.text("permissions", $0.holdsKeys ? $0.permissions?.shown : nil)] },
    .list(
      "certificates", { $0.certificates.enumerated().map { (number: $0 + 1, facts: $1) } },
      "Its certificates.",
      [
        .init(CertificateReport.fields.keys()) {
          [.section("Certificate \($0.number)", CertificateReport.fields.parts(of: $0.facts))]
        }
      ]), .section("Keys", [.list("keys", \.facts.keys, "Its private keys.", key)]),
    .section(
      "To re-encrypt it with AES",
      [
        .always("recoding", \.recoding, "Commands that re-encrypt it with AES."),
        .people { zip(["first", "then"], $0.recoding).map { .text("\($0)", .verbatim($1)) } },
      ]), .all(FilePermissions.fields, of: \.permissions),
  ]

  private static let key: [OutputField<CertificateFileFacts.Key>] = [
    .always("algorithm", \.algorithm, "The algorithm."),
    .people {
      let places = $0.fits.map { "\($0 + 1)" }.joined(separator: ", ")
      let fit: StyledText =
        places.isEmpty
        ? "\("fits none of its certificates", .bad)" : "\("fits certificate \(places)", .good)"
      return [.text(StyledText($0.algorithm), fit)]
    },
    .always(
      "publicKeySHA256", { $0.publicKeySHA256.map(hexadecimal) },
      "The SHA-256 of its public half."),
    .always("fits", \.fits, "The indexes of its certificates."),
  ]

  /// A certificate alone is not secret.
  private var holdsKeys: Bool {
    facts.encryption != nil || facts.isLocked || !facts.keys.isEmpty
  }

  /// `PKCS#12 with 1 certificate and 1 key`
  private var kind: StyledText {
    let parts = [
      (facts.certificates.count, "certificate"), (facts.keys.count, "key"),
    ].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }.joined(separator: " and ")
    if facts.encryption == nil { return StyledText(parts) }
    return parts.isEmpty ? "PKCS#12" : "PKCS#12 with \(parts)"
  }

  private var presented: StyledText? {
    guard let leaf = facts.leaf else { return nil }
    let issuers = facts.issuers > 0 ? " and \(counted(facts.issuers, "issuer"))" : ""
    return "certificate \(leaf + 1)\(issuers)"
  }

  /// The commands that re-encrypt an old `.p12`; empty if it needs none.
  private var recoding: [String] {
    guard facts.encryption?.isLegacy == true else { return [] }
    let path = file == "-" ? "FILE.p12" : file
    let stem =
      [".p12", ".pfx"].first { path.lowercased().hasSuffix($0) }
      .map { String(path.dropLast($0.count)) } ?? path
    let between = shellWord(stem + "-locked.pem")
    return [
      "openssl pkcs12 -legacy -in \(shellWord(path)) -out \(between)",
      "openssl pkcs12 -export -in \(between) -out \(shellWord(stem + "-aes.p12"))",
    ]
  }
}

/// A report on one certificate of a file.
struct CertificateReport {
  let facts: CertificateFacts
  /// Seconds since 1970 UTC.
  let now: Int64

  private var problems: [CertificateProblem] {
    facts.problems(now: now, environment: .emulator, topic: nil, pushType: nil)
  }

  /// The reason it cannot send pushes; nil if it can.
  var fault: CertificateProblem? { problems.first { $0.severity == .error } }

  static let fields: [OutputField<Self>] = [
    .always("commonName", \.facts.commonName, "The common name.", as: "common name"),
    .always("purpose", \.facts.kind?.name, "The kind of Apple's certificate.", as: "purpose") {
      $0.purpose
    }, .always("isForPush", \.facts.isForPush, "Whether it is for pushes."),
    .always("userID", \.facts.userID, "The app's bundle ID.", as: "app"),
    .always("organizationalUnit", \.facts.organizationalUnit, "The team.", as: "team"),
    .always(
      "environments", { $0.facts.environments.map(\.rawValue).sorted() },
      "The environments it is for.", as: "environments"),
    .people { [.text("topics", $0.topics)] },
    .list(
      "topics", \.facts.topics, "The topics it is for.",
      [
        .always("topic", \.topic.text, "The topic."),
        .always("labels", \.labels, "What it is for."),
      ]),
    .always("notBefore", { date($0.facts.notBefore) }, "When it becomes valid.", as: "valid") {
      "\(date($0.facts.notBefore)) to \(date($0.facts.notAfter)), \($0.state)"
    }, .always("notAfter", { date($0.facts.notAfter) }, "When it expires."),
    .always("daysLeft", \.daysLeft, "Days until then; negative after it."),
    .always("issuer", \.facts.issuer, "The issuer.", as: "issuer"),
    .always("serial", \.facts.serial, "The serial number.", as: "serial"),
    .always("keyAlgorithm", \.facts.keyKind, "The algorithm of its key.", as: "key"),
    .always(
      "sha256", { hexadecimal($0.facts.sha256) }, "The SHA-256 of the certificate.", as: "SHA-256"),
    .always(
      "publicKeySHA256", { $0.facts.publicKeySHA256.map(hexadecimal) },
      "The SHA-256 of its public key.", as: "key's SHA-256"),
    .always("problems", { $0.problems.map(\.sentence) }, "What is wrong with it."),
  ]

  private var purpose: StyledText {
    if let kind = facts.kind { return StyledText(kind.name) }
    return facts.isForPush ? "push" : "unknown; Apple's push certificates have a different name"
  }

  private var topics: StyledText? {
    if facts.topics.isEmpty { return nil }
    return StyledText(
      facts.topics.map { topic in
        let labels = topic.labels.joined(separator: ", ")
        return topic.topic.text + (labels.isEmpty ? "" : " (\(labels))")
      }.joined(separator: ", "))
  }

  private static func date(_ seconds: Int64) -> String { ISO8601.text(seconds: seconds) }

  /// Whole days until it expires, negative afterwards.
  private var daysLeft: Int64 {
    let left = facts.notAfter - now
    return left >= 0 ? left / 86_400 : -((86_399 - left) / 86_400)
  }

  private var state: StyledText {
    if now < facts.notBefore { return "\("not yet valid", .bad)" }
    if now > facts.notAfter {
      return "\("expired \(TimeSpan.text(seconds: now - facts.notAfter)) ago", .bad)"
    }
    let left = "\(counted(Int(daysLeft.magnitude), "day")) left"
    let isSoon = facts.notAfter - now < CertificateFacts.noticePeriod
    return StyledText(left, isSoon ? .doubtful : .good)
  }
}

extension PKCS12Encryption: JSONDescribed {
  package static let fields: [OutputField<Self>] = [
    .always("algorithms", \.algorithms, "The algorithms."),
    .always("mac", \.mac, "The algorithm of the MAC."),
    .always("iterations", \.iterations, "The rounds."),
    .always("isLegacy", \.isLegacy, "Whether OpenSSL 3 needs -legacy."),
  ]

  fileprivate var rows: [Report.Part] {
    [
      .text("encrypted with", names),
      .text("MAC", mac.map { StyledText($0) } ?? "\("none", .doubtful)"),
    ]
  }

  private var names: StyledText {
    if algorithms.isEmpty { return "\("nothing", .bad)" }
    let age: StyledText = isLegacy ? ", \("outdated: OpenSSL 3 needs -legacy", .doubtful)" : ""
    return "\(algorithms.joined(separator: "; "))\(rounds(iterations))\(age)"
  }
}
