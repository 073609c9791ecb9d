internal import Credentials

extension FuzzTarget {
  /// A provider token as somebody pasted it: what is told of it can be shown, and no key made it.
  static let providerToken = FuzzTarget("ProviderToken") { bytes in
    let contents = bytes.withUnsafeBytes { SecretBytes(copying: $0) }
    guard let facts = try? ProviderTokenFacts(contents) else { return }
    try expect(!facts.isSigned(byKey: bytes), "what is no key signed nothing")
    let hasForm = facts.signatureForm != nil
    let isFlawed = facts.flaws.contains { if case .signature = $0 { true } else { false } }
    try expect(hasForm != isFlawed, "a signature has a form or a flaw", "\(facts.flaws)")
    if facts.flaws.isEmpty {
      let isWhole = facts.keyID != nil && facts.teamID != nil && facts.issuedAt != nil
      try expect(isWhole && facts.algorithm == "ES256", "a token without a flaw is whole")
    }
  }
}
