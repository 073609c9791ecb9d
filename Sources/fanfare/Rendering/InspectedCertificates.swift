internal import Credentials
internal import JSONText
internal import PlainText

/// A `.p12` or a file of certificates that was inspected.
struct InspectedCertificates: InspectedRows {
  let file: String
  let facts: CertificateFileFacts
  let permissions: FilePermissions?
  /// Seconds since 1970 UTC.
  let now: Int64

  private var certificates: [InspectedCertificate] {
    facts.certificates.map { InspectedCertificate(facts: $0, now: now) }
  }

  /// Why no push can be sent with it: what is missing, or else what is wrong with the certificate.
  private var fault: (sentence: String, fix: String)? {
    if let fault = facts.fault { return (fault.clause, fault.remedy) }
    return facts.leaf.flatMap { certificates[$0].fault }.map { ($0.clause, $0.remedy) }
  }

  func sections(_ style: Style) -> [InspectSection] {
    let parts = certificates.indices.map { index in
      InspectSection("Certificate \(index + 1)", certificates[index].rows(style))
    }
    let keys = facts.keys.map { ($0.algorithm.printable, fit($0, style)) as (String, String?) }
    let commands = zip(["first", "then"], recoding).map { ($0, $1) as (String, String?) }
    return [InspectSection(overview(style))] + parts
      + (keys.isEmpty ? [] : [InspectSection("Keys", keys)])
      + (commands.isEmpty ? [] : [InspectSection("To lock it anew with AES", commands)])
  }

  private func overview(_ style: Style) -> [(String, String?)] {
    let encryption = facts.encryption
    let no = facts.isLocked ? style.doubtful("not known: ") : style.bad("no: ")
    // A certificate alone is no secret.
    let holdsKeys = encryption != nil || facts.isLocked || !facts.keys.isEmpty
    return [
      ("kind", kind),
      ("locked with", encryption.map { locks($0, style) }),
      ("sealed with", encryption.map { $0.mac?.printable ?? style.doubtful("nothing") }),
      ("signs in to APNs", fault.map { no + $0.sentence } ?? style.good("yes")), ("", fault?.fix),
      ("shown to APNs", shown),
      ("permissions", holdsKeys ? permissions?.row(style) : nil),
    ]
  }

  /// `PKCS#12 with 1 certificate and 1 key`
  private var kind: String {
    let parts = [
      (facts.certificates.count, "certificate"), (facts.keys.count, "key"),
    ].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }.joined(separator: " and ")
    if facts.encryption == nil { return parts }
    return parts.isEmpty ? "PKCS#12" : "PKCS#12 with \(parts)"
  }

  private func locks(_ encryption: PKCS12Encryption, _ style: Style) -> String {
    let names = encryption.algorithms.map(\.printable).joined(separator: "; ")
    if names.isEmpty { return style.bad("nothing") }
    let rounds = encryption.iterations > 1 ? ", \(counted(encryption.iterations, "round"))" : ""
    let age = encryption.isLegacy ? ", \(style.doubtful("outdated: OpenSSL 3 needs -legacy"))" : ""
    return names + rounds + age
  }

  private var shown: String? {
    guard let leaf = facts.leaf else { return nil }
    let issuers = facts.issuers > 0 ? " and \(counted(facts.issuers, "issuer"))" : ""
    return "certificate \(leaf + 1)\(issuers)"
  }

  private func fit(_ key: CertificateFileFacts.Key, _ style: Style) -> String {
    let places = key.fits.map { "\($0 + 1)" }.joined(separator: ", ")
    return key.fits.isEmpty
      ? style.bad("fits no certificate in it") : style.good("fits certificate \(places)")
  }

  /// The commands that lock an old `.p12` anew; empty where there is no need.
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

  var members: [(String, JSON)] {
    [
      ("kind", facts.encryption == nil ? "certificates" : "PKCS#12"),
      ("encryption", facts.encryption?.json ?? nil), ("isLocked", .flag(facts.isLocked)),
      ("signsIn", .flag(facts.isLocked ? nil : fault == nil)), ("problem", .text(fault?.sentence)),
      ("fix", .text(fault?.fix)), ("certificate", .number(facts.leaf)),
      ("issuers", .number(facts.issuers)),
      ("certificates", JSON(.array(certificates.map(\.json)))),
      ("keys", JSON(.array(facts.keys.map(\.json)))), ("recoding", .texts(recoding)),
    ] + .permissions(permissions)
  }
}

extension PKCS12Encryption {
  fileprivate var json: JSON {
    [
      "algorithms": .texts(algorithms), "mac": .text(mac), "iterations": .number(iterations),
      "isLegacy": .flag(isLegacy),
    ]
  }
}

extension CertificateFileFacts.Key {
  fileprivate var json: JSON {
    [
      "algorithm": .text(algorithm), "publicKeySHA256": .text(publicKeySHA256.map(hexadecimal)),
      "fits": JSON(.array(fits.map { .number($0) })),
    ]
  }
}
