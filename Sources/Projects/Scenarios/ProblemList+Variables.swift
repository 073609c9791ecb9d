internal import APNS
internal import JSONText

extension ProblemList {
  /// The values of placeholders, as scenarios and profiles hold them. A name that no placeholder can
  /// have is a problem.
  ///
  /// - Parameter place: where they stand, such as `variables`.
  func variables(_ json: JSON?, at place: String) -> [String: JSON] {
    let members = json?.object?.members ?? []
    for member in members where !Template.isName(member.key) {
      add(
        member.value, "\(place).\(member.key)", "No placeholder can have this name.",
        fix: "Use letters, digits, _, - and dots, and not 'now'.")
    }
    return Dictionary(members.map { ($0.key, $0.value) }) { _, last in last }
  }
}
