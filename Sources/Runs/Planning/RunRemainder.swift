internal import APNS
internal import PlainText
internal import PushModel
internal import Reporting

/// The remainder of a run, as described before it is sent.
struct RunRemainder {
  private static let day: Int64 = 86_400

  let plan: ResumePlan
  let server: ServerChoice
  /// The time in seconds since 1970.
  let now: Int64

  var run: RunNumber { plan.run }

  /// It reaches the users of an app.
  var isForProduction: Bool { server.environment.isProduction }

  /// The run is old enough to be forgotten, or reaches the users of an app.
  var needsConsent: Bool {
    isForProduction || now - plan.record.started / 1000 > Self.day
  }

  /// A line such as `Run 3 of 2026-11-21T18:20:04Z: com.example.shop, sandbox; 450 pushes are done,
  /// 1,550 are left`.
  var text: String {
    let began = ISO8601.text(seconds: plan.record.started / 1000)
    let channel = plan.record.channel.map { "channel \($0.printable)" }
    let what = [plan.record.topic?.printable, channel, server.environment.name].compactMap(\.self)
    return "Run \(plan.run) of \(began): \(what.joined(separator: ", ")); "
      + ([done, left] + [waiting].compactMap(\.self)).joined(separator: ", ") + "."
  }

  private var done: String {
    let open = plan.tally.deferred + plan.tally.notAttempted
    let count = plan.tally.total - open - (plan.resendsUnknown ? plan.tally.unknown : 0)
    return "\(counted(count, "push", plural: "pushes")) \(count == 1 ? "is" : "are") done"
  }

  /// Claims run ahead of the lists, so the number is known only after reading them.
  private var left: String {
    guard let left = plan.left(of: nil)?.count else { return "its lists were not read to the end" }
    return "\(grouped(left)) \(left == 1 ? "is" : "are") left"
  }

  private var waiting: String? {
    let count = plan.tally.deferred - plan.deferredDue
    return count > 0 ? "\(grouped(count)) more not yet due" : nil
  }
}
