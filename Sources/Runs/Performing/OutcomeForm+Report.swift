internal import Delivery
internal import Reporting

extension OutcomeForm {
  /// - Parameters:
  ///   - parts: all parts.
  ///   - text: the parts for people, where they differ; nil for all.
  ///   - complaint: the message that is printed in place of the outcome; nil for none.
  ///   - cause: the reason the run stopped, which is always printed.
  func report(
    _ parts: [Report.Part], forPeople text: [Report.Part]? = nil, complaint: Report.Part?,
    _ cause: StopCause?
  ) -> Report {
    var report = Report(parts: fields == nil ? text ?? parts : parts).asJSON(fields)
    report.before = cause?.failure?.parts() ?? []
    if fields == nil, isSilent {
      report.parts = []
      report.before += complaint.map { [$0] } ?? []
    }
    return report
  }
}
