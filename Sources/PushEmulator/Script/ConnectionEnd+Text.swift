public import APNS

extension ConnectionEnd {
  /// Reads the value of `goAway` in scripts.
  ///
  /// - Parameter file: the text's name in problems.
  /// - Throws: `BrokenRules` with all problems found.
  public init(_ text: [UInt8], file: String) throws(BrokenRules) {
    let problems = ProblemList(file: file, kind: "script")
    let object = try problems.read(text)
    self = try problems.passing(ConnectionEnd(reading: object))
  }
}
