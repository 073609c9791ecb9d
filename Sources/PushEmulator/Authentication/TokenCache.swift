/// The tokens that were seen last on a connection, so that a million pushes with one provider
/// token cost one verification.
struct TokenCache {
  private static let capacity = 4
  private let verifier: ProviderTokenVerifier
  private var entries: [(header: [UInt8], result: Result<ReceivedToken, TokenFault>)] = []

  /// An empty cache in front of a verifier.
  init(_ verifier: ProviderTokenVerifier) { self.verifier = verifier }

  /// What the verifier says to the value of an `authorization` header.
  mutating func verify(
    _ header: UnsafeBufferPointer<UInt8>
  ) -> Result<ReceivedToken, TokenFault> {
    if let known = entries.first(where: { $0.header.isSame(as: header) }) { return known.result }
    let result = Result { () throws(TokenFault) in try verifier.verify(header) }
    if entries.count == Self.capacity { entries.removeFirst() }
    entries.append((Array(header), result))
    return result
  }
}
