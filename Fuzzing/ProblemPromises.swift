import APNS
import PlainText

/// The problems of a draft. They can be shown to people whoever wrote the draft, and it becomes a
/// notification exactly when none of them is an error.
func problems(of draft: Draft, _ context: RuleContext) throws(BrokenPromise) -> [Problem] {
  let problems = RuleTable.problems(in: draft, context)
  try expectPresentable(problems)
  if context.audience == .device {
    let isSound = !problems.contains { $0.severity == .error }
    let notification = try? Notification(draft, in: context)
    try expect((notification != nil) == isSound, "errors alone refuse a draft", "\(problems)")
  }
  return problems
}

func expectPresentable(_ problems: [Problem]) throws(BrokenPromise) {
  for problem in problems {
    try expect(!problem.message.isEmpty && !problem.fix.isEmpty, "all is said", problem.rule)
    try expectPrintable(problem.message)
    try expectPrintable(problem.fix)
    try expectPrintable(problem.place.description)
  }
}

func expectPrintable(_ text: String) throws(BrokenPromise) {
  let isPrintable = text.unicodeScalars.elementsEqual(text.printable.unicodeScalars)
  try expect(isPrintable, "a message is safe to print", text.printable)
}
