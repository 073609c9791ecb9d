package import JSONText
package import Reporting
internal import Runs
package import Settings

extension Settings {
  /// Refuses unknown fields and conflicting outputs before anything is sent.
  ///
  /// - Parameters:
  ///   - fields: the fields in a line of the command's `--json`.
  ///   - isOfStep: true for pushes of scenarios.
  package func refuseUnknownFields(
    _ fields: @autoclosure () -> [JSONShape.Key], isOfStep: Bool = false, _ context: Context
  ) throws(Failure) {
    let other = dryRun.isOn ? Outputs.dryRun : enqueue.isOn ? Outputs.enqueuing : nil
    try json?.value.refuseUnknown(
      among: other ?? fields() + Outputs.result, other == nil ? listed : [])
    guard try lineTemplate(isOfStep: isOfStep, context) != nil else { return }
    if dryRun.isOn { throw .conflict("--template", "--dry-run") }
    if results?.value == "-" { throw .conflict("--template", "--results -") }
  }
}
