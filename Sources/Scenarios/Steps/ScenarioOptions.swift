/// The scenarios to run, and the reports to write.
package struct ScenarioOptions: Sendable, Equatable {
  package var files: [String] = []
  package var only: [String] = []
  package var from: Int?
  package var parallel = 1
  package var script: String?
  package var junit: String?
  package var tap: String?
  package var markdown: String?

  package init() {}

  /// The reports that were asked for, and where they go.
  var reports: [(form: ReportForm, path: String)] {
    [(ReportForm.junit, junit), (.tap, tap), (.markdown, markdown)].compactMap { form, path in
      path.map { (form, $0) }
    }
  }
}
