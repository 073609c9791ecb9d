internal import APNS
internal import PlainText
package import Reporting

/// Faults that prevent scenarios from running, collected to be reported together.
package struct ScenarioFaults {
  /// A scenario's file, or one of its steps.
  package struct Place: Hashable {
    package var file: String
    /// The step's number; nil for the whole file.
    var step: Int?

    package init(file: String, step: Int? = nil) {
      (self.file, self.step) = (file, step)
    }
  }

  private var failures: [(file: String, failure: Failure)] = []
  private var problems: [Problem] = []
  private var found: [Place: [Failure]] = [:]

  package init() {}

  var isEmpty: Bool { found.isEmpty }

  /// The fault at a place; nil for none.
  subscript(place: Place) -> Failure? {
    found[place].flatMap { $0.count > 1 ? .several($0) : $0.first }
  }

  /// The results of `make` for each value. Its failures are collected.
  ///
  /// - Parameter place: the scenario's file, or the step, that a value belongs to.
  package mutating func gather<Value, Made>(
    _ values: [Value], at place: (Value) -> Place, _ make: (Value) throws(Failure) -> Made
  ) -> [Made] {
    var made: [Made] = []
    for value in values {
      do throws(Failure) { made.append(try make(value)) } catch { add(error, at: place(value)) }
    }
    return made
  }

  mutating func add(_ failure: Failure, at place: Place) {
    // A scenario can be named twice.
    let isKnown = found[place]?.contains { $0.sentence == failure.sentence } ?? false
    if !isKnown { found[place, default: []].append(failure) }
    add(failure, in: place.file)
  }

  /// A fault that several scenarios inherit from one base counts once.
  private mutating func add(_ failure: Failure, in file: String) {
    switch failure.content {
    case .problems(let found): problems += found.filter { !problems.contains($0) }
    case .several(let others): for other in others { add(other, in: file) }
    case .message, .usage:
      let isKnown = failures.contains { $0.file == file && $0.failure.sentence == failure.sentence }
      if !isKnown { failures.append((file, failure)) }
    }
  }

  /// All collected faults; nil if there are none.
  ///
  /// - Parameter amongSeveral: adds its file's name to each fault.
  package func failure(amongSeveral: Bool) -> Failure? {
    let isAlone = !amongSeveral && failures.count == 1 && problems.isEmpty
    let named = failures.map { isAlone ? $0.failure : $0.failure.named($0.file) }
    let all = named + (problems.isEmpty ? [] : [.problems(problems)])
    return all.count > 1 ? .several(all) : all.first
  }
}

extension Failure {
  static func noScenarios(folder: String) -> Failure {
    Failure(
      "The folder \(folder.printable) has no scenario.",
      fix: "Scenarios are .json5 files; docs/formats.md describes them.")
  }

  /// - Parameter near: names that may have been meant.
  static func noSuchScenario(_ name: String, near: [String], among all: [String]) -> Failure {
    let names = all.map { "'\($0.printable)'" }.joined(separator: ", ")
    return Failure(
      "There is no scenario '\(name.printable)'.",
      fix: Suggestion.question(near) ?? "The scenarios are \(names).")
  }

  package static func noSuchStep(_ number: Int, scenario: String, count: Int) -> Failure {
    Failure(
      "There is no step \(number) in \(scenario.printable).",
      fix: count == 1 ? "It has one step." : "Its steps are 1 to \(count).")
  }
}
