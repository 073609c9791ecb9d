internal import APNS
internal import JSONText

/// What a line on the control channel asks for. It is done as a whole, or not at all.
struct ControlRequest: Hashable {
  /// Why a line is refused.
  enum Refusal: Error, Hashable {
    /// It is no request: what is wrong, and what to do.
    case notUnderstood(String)
    /// Its script has these problems.
    case badScript([Problem])
  }

  /// The script to go by; nil leaves it as it is.
  var script: FaultScript?
  /// What the clock is to show; nil leaves it as it is.
  var clock: ClockOffset?
  /// Whether the answer has the counts.
  var wantsCounts = false

  /// Reads a line: an object in JSON5.
  init(_ line: ControlLines.Line) throws(Refusal) {
    guard case .text(let text) = line else {
      throw .notUnderstood("A line has at most \(ControlLines.limit) bytes.")
    }
    let problems = ProblemList(file: "control", kind: "control")
    let scriptProblems = ProblemList(file: "control", kind: "script")
    do throws(BrokenRules) {
      let object = try problems.read(text)
      self.init(reading: object, scriptProblems)
      try problems.passing(())
    } catch {
      throw .notUnderstood(error.problems.map { "\($0.message) \($0.fix)" }.joined(separator: " "))
    }
    guard scriptProblems.list.isEmpty else { throw .badScript(scriptProblems.list) }
  }

  private init(reading object: FileObject, _ scriptProblems: ProblemList) {
    let isIdle = !["script", "clock", "counts"].contains(where: object.has)
    script = object.take("script").map { Self.script($0, scriptProblems) }
    clock = object.take("clock").flatMap { Self.clock($0, object) }
    wantsCounts = object.truth("counts") ?? false
    object.refuseOtherKeys()
    if isIdle && object.problems.list.isEmpty {
      object.report("The request is empty.", fix: "Use one of: script, clock, counts.")
    }
  }

  /// `null` is a good day.
  private static func script(_ json: JSON, _ problems: ProblemList) -> FaultScript {
    if json == nil { return FaultScript() }
    return FaultScript(reading: FileObject(json, at: "", problems))
  }

  private static func clock(_ json: JSON, _ object: FileObject) -> ClockOffset? {
    let offset = json.string.flatMap(ClockOffset.init)
    if offset == nil {
      object.report(
        "clock", json, "'clock' is not a time offset.",
        fix: "Write a sign and a duration, such as \"+2h\" or \"-90m\"; or \"0s\".")
    }
    return offset
  }
}
