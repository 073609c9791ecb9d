package import PushModel
package import Reporting
package import Settings

// The road of every run: order, plan, open, perform, report.
extension RunOrder {
  /// Carries out the order of a command's only run.
  ///
  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  package func carryOut(
    in resources: RunResources = RunResources(), _ context: Context
  ) throws(Failure) -> Report {
    let plan = try RunPlan(self, at: destination(context), context)
    return try plan.carryOut(in: resources)
  }
}

extension RunPlan {
  /// - Parameter asking: whether a person is asked first, if there is a question.
  package func carryOut(
    in resources: RunResources, asking: Bool = true
  ) throws(Failure) -> Report {
    if let oddToken { context.teller.note([.oddToken(oddToken)]) }
    switch mode {
    case .dryRun(let printed): return try dryRun(printed)
    case .enqueue(let isUrgent): return try enqueue(isUrgent: isUrgent)
    case .show: return try show()
    case .send:
      let finished = try send(in: resources, asking: asking)
      return try RunReport(closing: finished).report()
    }
  }

  /// Opens what the run needs, and sends to all recipients.
  package func send(
    in resources: RunResources, asking: Bool = true
  ) throws(Failure) -> FinishedRun {
    let recipients = try openRecipients()
    let credentials = try destination.open(context)
    try announce(destination.server)
    if asking { try ask(as: credentials) }
    resources.cancellation.listen(context, atMost: delivery.maxTime)
    return try send(to: recipients, as: credentials, in: resources)
  }

  /// Puts the question. What would keep the answer from taking effect is told before; nothing is made
  /// until it is given.
  private func ask(as credentials: OpenedCredentials) throws(Failure) {
    if question.isEmpty { return }
    try credentials.check()
    try outputs.check()
    try history?.check()
    try question.put(context)
  }

  /// Sends to one server, or to each environment until one knows the device token.
  package func send(
    to recipients: consuming sending some PushSource & ~Copyable, as credentials: OpenedCredentials,
    in resources: RunResources
  ) throws(Failure) -> FinishedRun {
    let servers = destination.servers
    let first = try OpenRun(self, at: servers[0], as: credentials, in: resources)
      .perform(recipients, servers.count > 1 ? EnvironmentSearch() : nil)
    guard let search = first.search, search.goesOn, context.signals.received == nil else {
      return first
    }
    let report = RunReport(closing: first)
    if report.isEmpty { throw .noRecipients }
    if let last = search.attempts.last {
      context.teller.note("\(last.words); asking the next environment")
    }
    context.teller.warn(report.notices)
    if let loss = report.loss { throw loss }
    let second = try openRecipients()
    return try OpenRun(self, at: servers[1], as: credentials, in: resources)
      .perform(second, search)
  }
}
