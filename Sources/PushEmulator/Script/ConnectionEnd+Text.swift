public import APNS

extension ConnectionEnd {
  /// Reads what scripts write after `goAway`.
  ///
  /// - Parameter file: what the text is called in problems.
  /// - Throws: `BrokenRules` with everything that is wrong with it.
  public init(_ text: [UInt8], file: String) throws(BrokenRules) {
    let problems = ProblemList(file: file, kind: "script")
    let object = try problems.read(text)
    self = try problems.passing(ConnectionEnd(reading: object))
  }
}
