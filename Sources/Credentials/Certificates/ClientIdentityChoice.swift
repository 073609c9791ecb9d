/// A certificate with its key and chain, chosen from everything that was given.
struct ClientIdentityChoice {
  let leaf: X509Certificate
  let facts: CertificateFacts
  let key: CertificateKey
  /// The issuers in order, without the root.
  let issuers: [X509Certificate]

  /// Chooses the certificate that has a key. Among several, prefers push certificates, then the
  /// newest if they differ only in age.
  init(
    from certificates: [X509Certificate], _ keys: [CertificateKey]
  ) throws(CertificateError) {
    let names = certificates.map(\.shownName)
    if certificates.isEmpty { throw .noCertificate }
    if keys.isEmpty { throw .noKey(commonNames: names) }
    let candidates = try Self.candidates(certificates, keys)
    if candidates.isEmpty { throw .keyDoesNotMatch(commonNames: names) }
    let chosen = try Self.best(of: candidates)
    (leaf, key, facts) = (chosen.leaf, chosen.key, chosen.facts)
    issuers = Self.issuers(of: leaf, in: certificates)
  }

  private typealias Candidate = (
    leaf: X509Certificate, key: CertificateKey, facts: CertificateFacts
  )

  private static func candidates(
    _ certificates: [X509Certificate], _ keys: [CertificateKey]
  ) throws(CertificateError) -> [Candidate] {
    var candidates: [Candidate] = []
    for leaf in certificates {
      guard let key = keys.first(where: leaf.matches) else { continue }
      candidates.append((leaf, key, try leaf.facts()))
    }
    return candidates
  }

  private static func best(of candidates: [Candidate]) throws(CertificateError) -> Candidate {
    let forPush = candidates.filter(\.facts.isForPush)
    let candidates = forPush.isEmpty ? candidates : forPush
    let newest = candidates.max { $0.facts.notAfter < $1.facts.notAfter }
    guard let newest, candidates.allSatisfy({ $0.facts.isRenewal(of: newest.facts) }) else {
      throw .severalIdentities(commonNames: candidates.map(\.leaf.shownName))
    }
    return newest
  }

  private static func issuers(
    of leaf: X509Certificate, in certificates: [X509Certificate]
  ) -> [X509Certificate] {
    var others = certificates.filter { $0.der != leaf.der && !$0.isSelfIssued }
    var chain = [leaf]
    while let last = chain.last, let next = others.firstIndex(where: last.isIssued) {
      chain.append(others.remove(at: next))
    }
    return Array(chain.dropFirst())
  }
}

extension CertificateFacts {
  /// Returns true if the two differ only in validity and serial number.
  fileprivate func isRenewal(of other: CertificateFacts) -> Bool {
    commonName == other.commonName && userID == other.userID && topics == other.topics
      && environments == other.environments
  }
}
