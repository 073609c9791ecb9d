internal import APNS
package import Credentials
package import JSONText
internal import Opening
internal import PlainText
internal import Reporting

/// A report on a `.p12` or a file of certificates.
struct CertificateFileReport {
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

  var parts: [Report.Part] { Self.fields.parts(of: self) }

  static let fields = overview + contents

  private static let overview: [ReportField<Self>] = [
    .always("kind", "What the file contains.", .word(["certificates", "PKCS#12"])) {
      $0.facts.encryption == nil ? "certificates" : "PKCS#12"
    }.label("kind") { $0.kind },
    .always("encryption", "How a PKCS#12 is encrypted.") { $0.facts.encryption },
    .people { $0.facts.encryption?.rows ?? [] },
    .always("isLocked", "Whether part of it could not be decrypted.") { $0.facts.isLocked },
    .always("signsIn", "Whether it can authenticate pushes.") {
      $0.facts.isLocked ? nil : $0.fault == nil
    }.label("authenticates to APNs") {
      .verdict($0.fault?.sentence, isKnown: !$0.facts.isLocked)
    },
    .always("problem", "Why it cannot be used.") { $0.fault?.sentence }, .fix { $0.fault?.fix },
    .always("certificate", "The index of the one shown to APNs, from 0.") { $0.facts.leaf }
      .label("presented to APNs") { $0.presented },
    .always("issuers", "How many issuers are sent with it.") { $0.facts.issuers },
    .people { [.text("permissions", $0.holdsKeys ? $0.permissions?.shown : nil)] },
  ]

  private static let contents: [ReportField<Self>] = [
    .list("certificates", "Its certificates.", certificate) {
      $0.certificates.enumerated().map { (number: $0 + 1, certificate: $1) }
    },
    .section(
      "Keys",
      [
        .list("keys", "Its private keys.", CertificateFileFacts.Key.fields) {
          $0.facts.keys
        }
      ]),
    .section(
      "To re-encrypt it with AES",
      [
        .always("recoding", "Commands that re-encrypt it with AES.") { $0.recoding },
        .people { zip(["first", "then"], $0.recoding).map { .text("\($0)", .verbatim($1)) } },
      ]), .all(FilePermissions.fields) { $0.permissions },
  ]

  private static let certificate: [ReportField<(number: Int, certificate: CertificateReport)>] = [
    .section(CertificateReport.fields, of: { $0.certificate }) { "Certificate \($0.number)" }
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

  static let fields = identity + validity

  private static let identity: [ReportField<Self>] = [
    .always("commonName", "The common name.") { $0.facts.commonName }.label("common name"),
    .always("purpose", "The kind of Apple's certificate.") { $0.facts.kind?.name }
      .label("purpose") { $0.purpose },
    .always("isForPush", "Whether it is for pushes.") { $0.facts.isForPush },
    .always("userID", "The app's bundle ID.") { $0.facts.userID }.label("app"),
    .always("organizationalUnit", "The team.") { $0.facts.organizationalUnit }.label("team"),
    .always("environments", "The environments it is for.") {
      $0.facts.environments.map(\.rawValue).sorted()
    }.label("environments"),
    .people { [.text("topics", $0.topics)] },
    .always("topics", "The topics it is for.") { $0.facts.topics },
  ]

  private static let validity: [ReportField<Self>] = [
    .always("notBefore", "When it becomes valid.") { date($0.facts.notBefore) }
      .label("valid") {
        "\(date($0.facts.notBefore)) to \(date($0.facts.notAfter)), \($0.state)"
      },
    .always("notAfter", "When it expires.") { date($0.facts.notAfter) },
    .always("daysLeft", "Days until then; negative after it.") { $0.daysLeft },
    .always("issuer", "The issuer.") { $0.facts.issuer }.label("issuer"),
    .always("serial", "The serial number.") { $0.facts.serial }.label("serial"),
    .always("keyAlgorithm", "The algorithm of its key.") { $0.facts.keyKind }.label("key"),
    .always("sha256", "The SHA-256 of the certificate.") { hexadecimal($0.facts.sha256) }
      .label("SHA-256"),
    .always("publicKeySHA256", "The SHA-256 of its public key.") {
      $0.facts.publicKeySHA256.map(hexadecimal)
    }.label("key's SHA-256"),
    .always("problems", "What is wrong with it.") { $0.problems.map(\.sentence) },
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

extension CertificateTopic: JSONDescribed {
  package static let fields: [JSONField<Self>] = [
    .always("topic", "The topic.") { $0.topic.text },
    .always("labels", "What it is for.") { $0.labels },
  ]
}

extension CertificateFileFacts.Key {
  fileprivate static let fields: [ReportField<Self>] = [
    .always("algorithm", "The algorithm.") { $0.algorithm },
    .people {
      let places = $0.fits.map { "\($0 + 1)" }.joined(separator: ", ")
      let fit: StyledText =
        places.isEmpty
        ? "\("fits none of its certificates", .bad)" : "\("fits certificate \(places)", .good)"
      return [.text(StyledText($0.algorithm), fit)]
    },
    .always("publicKeySHA256", "The SHA-256 of its public half.") {
      $0.publicKeySHA256.map(hexadecimal)
    }, .always("fits", "The indexes of its certificates.") { $0.fits },
  ]
}

extension PKCS12Encryption: JSONDescribed {
  package static let fields: [JSONField<Self>] = [
    .always("algorithms", "The algorithms.") { $0.algorithms },
    .always("mac", "The algorithm of the MAC.") { $0.mac },
    .always("iterations", "The rounds.") { $0.iterations },
    .always("isLegacy", "Whether OpenSSL 3 needs -legacy.") { $0.isLegacy },
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
