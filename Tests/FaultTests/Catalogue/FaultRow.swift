/// A row of the fault catalogue.
struct FaultRow: Sendable {
  /// Its number, by which it is cited.
  let number: Int
  /// What goes wrong.
  let fault: String
  /// What fanfare does about it.
  let conduct: String
  /// What proves it; empty when one machine cannot produce the fault.
  let cases: [FaultCase]
  /// Why there is no case; nil when there is.
  let omission: String?

  init(_ number: Int, _ fault: String, _ conduct: String, _ cases: FaultCase...) {
    (self.number, self.fault, self.conduct) = (number, fault, conduct)
    (self.cases, omission) = (cases, nil)
  }

  /// A row without a case.
  init(_ number: Int, _ fault: String, _ conduct: String, omitted reason: String) {
    (self.number, self.fault, self.conduct) = (number, fault, conduct)
    (cases, omission) = ([], reason)
  }
}
