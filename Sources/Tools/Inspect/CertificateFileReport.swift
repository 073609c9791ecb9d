internal import APNS
internal import Credentials
internal import JSONText
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

  var parts: [Report.Part] {
    let isEncrypted = facts.encryption != nil
    // A certificate alone is not secret.
    let holdsKeys = isEncrypted || facts.isLocked || !facts.keys.isEmpty
    let overview: [Report.Part] = [
      .fact("kind", "kind", isEncrypted ? "PKCS#12" : "certificates", shown: kind), encryption,
      .json("isLocked", .flag(facts.isLocked)),
      .fact(
        "authenticates to APNs", "signsIn", .flag(facts.isLocked ? nil : fault == nil),
        shown: .verdict(fault?.sentence, isKnown: !facts.isLocked)),
      .json("problem", .text(fault?.sentence)), .fix(fault?.fix),
      .fact("presented to APNs", "certificate", .number(facts.leaf), shown: presented),
      .json("issuers", .number(facts.issuers)),
      .text("permissions", holdsKeys ? permissions?.shown : nil),
    ]
    return overview + contents + FilePermissions.members(permissions)
  }

  private var contents: [Report.Part] {
    [
      .list(
        "certificates",
        certificates.enumerated().map { index, certificate in
          [.section("Certificate \(index + 1)", certificate.parts)]
        }), .section("Keys", [.list("keys", facts.keys.map(part))]),
      .section(
        "To re-encrypt it with AES",
        [.json("recoding", .texts(recoding))]
          + zip(["first", "then"], recoding).map { .text("\($0)", .verbatim($1)) }),
    ]
  }

  /// `PKCS#12 with 1 certificate and 1 key`
  private var kind: StyledText {
    let parts = [
      (facts.certificates.count, "certificate"), (facts.keys.count, "key"),
    ].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }.joined(separator: " and ")
    if facts.encryption == nil { return StyledText(parts) }
    return parts.isEmpty ? "PKCS#12" : "PKCS#12 with \(parts)"
  }

  private var encryption: Report.Part {
    guard let encryption = facts.encryption else { return .json("encryption", nil) }
    return .object(
      "encryption",
      [
        .fact(
          "encrypted with", "algorithms", .texts(encryption.algorithms),
          shown: algorithms(encryption)),
        .fact(
          "MAC", "mac", .text(encryption.mac),
          shown: encryption.mac.map { StyledText($0) } ?? "\("none", .doubtful)"),
        .json("iterations", .number(encryption.iterations)),
        .json("isLegacy", .flag(encryption.isLegacy)),
      ])
  }

  private func algorithms(_ encryption: PKCS12Encryption) -> StyledText {
    let names = encryption.algorithms.joined(separator: "; ")
    if names.isEmpty { return "\("nothing", .bad)" }
    let age: StyledText =
      encryption.isLegacy ? ", \("outdated: OpenSSL 3 needs -legacy", .doubtful)" : ""
    return "\(names)\(rounds(encryption.iterations))\(age)"
  }

  private var presented: StyledText? {
    guard let leaf = facts.leaf else { return nil }
    let issuers = facts.issuers > 0 ? " and \(counted(facts.issuers, "issuer"))" : ""
    return "certificate \(leaf + 1)\(issuers)"
  }

  private func part(_ key: CertificateFileFacts.Key) -> [Report.Part] {
    let places = key.fits.map { "\($0 + 1)" }.joined(separator: ", ")
    let fit: StyledText =
      key.fits.isEmpty
      ? "\("fits none of its certificates", .bad)" : "\("fits certificate \(places)", .good)"
    return [
      .fact(StyledText(key.algorithm), "algorithm", .text(key.algorithm), shown: fit),
      .json("publicKeySHA256", .text(key.publicKeySHA256.map(hexadecimal))),
      .json("fits", JSON(.array(key.fits.map { .number($0) }))),
    ]
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

  var parts: [Report.Part] {
    [
      .fact("common name", "commonName", .text(facts.commonName)),
      .fact("purpose", "purpose", .text(facts.kind?.name), shown: purpose),
      .json("isForPush", .flag(facts.isForPush)), .fact("app", "userID", .text(facts.userID)),
      .fact("team", "organizationalUnit", .text(facts.organizationalUnit)),
      .fact("environments", "environments", .texts(facts.environments.map(\.rawValue).sorted())),
      .text("topics", topics), .list("topics", facts.topics.map(part)),
      .fact(
        "valid", "notBefore", .text(date(facts.notBefore)),
        shown: "\(date(facts.notBefore)) to \(date(facts.notAfter)), \(state)"),
      .json("notAfter", .text(date(facts.notAfter))), .json("daysLeft", .number(daysLeft)),
      .fact("issuer", "issuer", .text(facts.issuer)),
      .fact("serial", "serial", .text(facts.serial)),
      .fact("key", "keyAlgorithm", .text(facts.keyKind)),
      .fact("SHA-256", "sha256", .text(hexadecimal(facts.sha256))),
      .fact("key's SHA-256", "publicKeySHA256", .text(facts.publicKeySHA256.map(hexadecimal))),
      .json("problems", .texts(problems.map(\.sentence))),
    ]
  }

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

  private func part(_ topic: CertificateTopic) -> [Report.Part] {
    [.json("topic", .text(topic.topic.text)), .json("labels", .texts(topic.labels))]
  }

  private func date(_ seconds: Int64) -> String { ISO8601.text(seconds: seconds) }

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
