internal import APNS
internal import History
internal import PushModel
internal import Recipients
package import Reporting
package import Runs
package import Settings

/// Repeats an earlier `fanfare send`: with its settings unless the command line has others, and
/// with its files as they are now.
package struct SendAgain {
  private let place: HistoryReference?
  private let options: Settings
  private let context: Context

  /// - Parameters:
  ///   - place: the run, or the only push of it to repeat; nil for the newest run.
  ///   - options: the options on the command line.
  package init(_ place: HistoryReference?, options: Settings, context: Context) {
    (self.place, self.options, self.context) = (place, options, context)
  }

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  package func run() throws(Failure) -> Report {
    let options = try options.findingDevices(context)
    let repeated = try RepeatedRun(at: place, in: try options.openHistory(context))
    let layer = try repeated.layer(below: options).renewingDevices(context)
    let said = options.over(layer)
    try repeated.refuseGone(said)
    try said.refuseTwoInputs()
    let settings = try options.merged(over: layer, context)
    try settings.refuseUnknownFields(Outputs.summary, context)
    if !settings.dryRun.isOn { try repeated.requireTrust(said, settings, context) }
    let notes = RepeatedRunText(repeated, options: options, said: said, settings).lines(context)
    return try Send.send(settings, context) { (message) throws(Failure) in
      try repeated.refuseRow(message, options)
      for note in notes { context.teller.note(note) }
    }
  }
}
