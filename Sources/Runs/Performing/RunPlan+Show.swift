internal import Recipients
package import Reporting

// A plan that is printed in place of being carried out.
extension RunPlan {
  /// Prints the plan.
  func show() throws(Failure) -> Report {
    try rehearse()
    return try question.report(outputs.form.fields)
  }

  /// Checks what can be checked without opening a key, writing a file or reading a pipe.
  package func rehearse() throws(Failure) {
    try recipients.refuse(message)
    if !recipients.sources.contains(where: \.isReadOnce) { _ = try openRecipients() }
    if question.runs.contains(where: \.isEnqueued) {
      _ = try destination.credentialsForQueue(context)
    } else {
      try destination.refuseNoCredentials()
    }
  }
}

extension RunQuestion {
  /// The plan of a command that shows it.
  package func report(_ fields: JSONFields?) throws(Failure) -> Report {
    try ShownPlan(self).report(fields)
  }
}
