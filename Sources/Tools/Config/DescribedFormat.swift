internal import APNS
internal import History
internal import HistoryCommands
internal import JSONText
internal import PushEmulator
internal import Reporting
internal import Runs
internal import Scenarios
internal import Settings

/// A format that `config schema` describes: a file that people write, or a command's JSON output.
package enum DescribedFormat: String, CaseIterable, Sendable {
  case scenario
  case config
  case script
  case summary
  case refusal
  case enqueue
  case work
  case stop
  case step
  case results
  case deadTokens = "dead-tokens"
  case report
  case plan
  case dryRun = "dry-run"
  case problem
  case check
  case preview
  case example
  case device
  case channel
  case channelShow = "channel-show"
  case channelDelete = "channel-delete"
  case inspect
  case explain
  case doctor
  case doctorSelf = "doctor-self"
  case configShow = "config-show"
  case historyList = "history-list"
  case historyPushes = "history-pushes"
  case historyShow = "history-show"
  case historyStats = "history-stats"
  case historyTail = "history-tail"
  case historyPrune = "history-prune"
  case historyDiff = "history-diff"
  case emulator
  case journal

  /// The JSON Schema, with a line feed at the end.
  package var schema: [UInt8] {
    if let output { return output.shape.schema(titled: output.title) }
    return self == .scenario
      ? ScenarioShape.schema : self == .config ? ProfileShape.schema : ScriptShape.schema
  }

  /// A command's JSON output, a whole text or one of its lines; nil for files that people write.
  var output: (title: String, shape: JSONShape)? {
    switch self {
    case .scenario, .config, .script: nil
    case .summary:
      ("The summary of a run: send, resume and history resend --json", .object(Outputs.summary))
    case .refusal:
      ("A notification that breaks rules: send --json", .object(Outputs.refusal))
    case .enqueue:
      ("A run in the queue: send --enqueue --json", .object(Outputs.enqueuing))
    case .work: ("What a worker did of a run: a line of work --json", .object(Outputs.work))
    case .stop: ("A run that was stopped: stop --json", StoppedRun.jsonShape)
    case .step: ("A step of a scenario: a line of run --json", .object(Outputs.step))
    case .results:
      ("A result: a line of --results", .object(Outputs.result + Outputs.resultStep))
    case .deadTokens: ("A dead device token: a line of --dead-tokens", .object(Outputs.deadToken))
    case .report: ("The figures of results: report --json", .object(Outputs.report))
    case .plan: ("What would be sent: --plan --json", .object(Outputs.plan))
    case .dryRun: ("A request: a line of --dry-run --json", .object(Outputs.dryRun))
    case .problem: ("A problem of a file or a notification", Problem.jsonShape)
    case .check: ("What was checked: check --json", CheckReport.fields.shape())
    case .preview:
      (
        "What a device would show: preview --json",
        .either([PushPreview.jsonShape, PreviewedScenario.fields.shape()])
      )
    case .example:
      (
        "The examples, or one of them: example --json",
        .either([[ExamplePayload].jsonShape, ExamplePayload.whole.shape()])
      )
    case .device:
      (
        "A device or a group: a line of device list --json and device add --json",
        .either([ListedDevice.device.shape(), ListedDevice.group.shape()])
      )
    case .channel:
      (
        "A channel: channel create --json, and a line of channel list --json",
        ChannelEntry.jsonShape
      )
    case .channelShow: ("A channel: channel show --json", ShownChannel.fields.shape())
    case .channelDelete:
      ("A deleted channel: channel delete --json", DeletedChannel.jsonShape)
    case .inspect: ("What files contain: inspect --json", .array(Inspect.shape))
    case .explain: ("Explanations: explain --json", .array(ExplainedTopic.shape))
    case .doctor: ("A diagnosis: doctor --json", DoctorReport.shape)
    case .doctorSelf: ("A test of the machine: doctor --self --json", SelfTestReport.shape)
    case .configShow: ("The settings: config show --json", ShownSettings.jsonShape)
    case .historyList: ("A run: a line of history list --json", .object(Outputs.run))
    case .historyPushes:
      ("A push: a line of history list --pushes --json and of an export", .object(Outputs.push))
    case .historyShow:
      (
        "A run or a push: history show --json",
        .either([.object(Outputs.shownRun), .object(Outputs.shownPush)])
      )
    case .historyStats:
      ("A group of pushes: a line of history stats --json", StatisticsRow.fields.shape())
    case .historyTail: ("An event: a line of history tail --json", Outputs.event)
    case .historyPrune: ("What was removed: history prune --json", PruningResult.jsonShape)
    case .historyDiff: ("What differs: history diff --json", Difference.jsonShape)
    case .emulator: ("The emulator's first line", ReadyEmulator.jsonShape)
    case .journal: ("A request: a line of the emulator's --journal", JournalEntry.jsonShape)
    }
  }
}
