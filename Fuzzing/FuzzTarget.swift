/// A part of fanfare that is given bytes from outside, and what has to hold whatever they are.
public struct FuzzTarget: Sendable {
  /// Its name, which is also that of its folder in `Corpus`.
  public let name: String

  /// Hands the bytes to it.
  ///
  /// - Throws: ``BrokenPromise`` when something does not hold.
  public let check: @Sendable ([UInt8]) throws -> Void

  init(_ name: String, check: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.name = name
    self.check = check
  }

  /// Every target, the main ones first.
  public static let all: [FuzzTarget] = [
    .jsonReader, .payloadRules, .template, .scenarioReader, .tokenList, .deviceToken, .errorBody,
    .signingKey, .clientCertificate, .providerToken, .csvLine, .serverSession, .clientSession,
    .history, .times,
  ]
}

/// Something that does not hold of an input.
public struct BrokenPromise: Error, CustomStringConvertible {
  /// What should hold.
  public let promise: String
  /// What was found instead.
  public let evidence: String

  /// The promise and the evidence.
  public var description: String { "broken promise: \(promise): \(evidence)" }
}

func expect(
  _ holds: Bool, _ promise: @autoclosure () -> String, _ evidence: @autoclosure () -> String = ""
) throws(BrokenPromise) {
  if !holds { throw BrokenPromise(promise: promise(), evidence: evidence()) }
}
