import APNS
import JSONText
import Settings
import Testing

@Suite("The channel of a scenario")
struct ScenarioChannelTests {
  private static let id = "dHN0LXNyY2gtY2hubA=="
  private static let step = "{notification: {payload: {aps: {}}}}"

  @Test("One that is created fills {{channel}}, and is where steps without recipients go")
  func created() throws {
    var scenario = try read(
      """
      {channel: {create: {store: true}}, steps: [
        {recipients: ["0a1b"], notification: {payload: {aps: {}}}}, \(Self.step)]}
      """)
    #expect(scenario.channelToCreate == .latest)
    #expect(scenario.steps.map(\.channel) == [nil, .created(.latest)])
    #expect(scenario.steps.map(\.recipients.count) == [1, 0])
    #expect(ids(scenario) == [[nil, Scenario.channelToCome], Self.all(Scenario.channelToCome)])
    scenario.createdChannel = try ChannelID(Self.id)
    #expect(scenario.channelToCreate == nil)
    #expect(ids(scenario) == [[nil, Self.id], Self.all(Self.id)])
  }

  @Test("It stores nothing unless it says so")
  func policy() throws {
    for text in ["{create: {}}", "{create: {store: false}}"] {
      let scenario = try read("{channel: \(text), notification: {payload: {aps: {}}}}")
      #expect(scenario.channelToCreate == .nothing)
    }
  }

  @Test("One that exists is not created")
  func existing() throws {
    let scenario = try read(
      "{channel: '\(Self.id)', steps: [\(Self.step), {channel: 'AAAA', \(Self.step.dropFirst())]}")
    #expect(scenario.channelToCreate == nil)
    #expect(ids(scenario) == [Self.all(Self.id), ["AAAA", Self.id]])
    let field = try #require(scenario.settings(for: scenario.steps[1]).channel)
    #expect(field.origin.file == "app/s.json5" && field.origin.position?.line == 1)
  }

  @Test("A step can create it, and name it")
  func inStep() throws {
    let scenario = try read(
      """
      {recipients: ["0a1b"], steps: [
        {channel: {create: {}}, notification: {payload: {aps: {}}}}, \(Self.step),
        {channel: "{{channel}}", notification: {payload: {aps: {}}}}]}
      """)
    #expect(scenario.steps.map(\.channel) == [.created(.nothing), nil, .created(.nothing)])
    #expect(scenario.channelToCreate == .nothing)
  }

  @Test("A scenario takes it from the one that it extends, or has its own, or recipients")
  func extends() throws {
    let base = ["app/b.json5": "{channel: {create: {store: true}}}"]
    let rest = "extends: 'b.json5', notification: {payload: {aps: {}}}}"
    #expect(try read("{" + rest, files: base).steps[0].channel == .created(.latest))
    let own = try read("{channel: '\(Self.id)', " + rest, files: base)
    #expect(ids(own) == [Self.all(Self.id)] && own.channelToCreate == nil)
    let devices = try read("{recipients: ['0a1b'], " + rest, files: base)
    #expect(devices.steps[0].channel == nil && devices.steps[0].recipients.count == 1)
  }

  @Test("An option replaces it in every step that goes to a channel")
  func option() throws {
    let scenario = try read(
      "{channel: {create: {}}, steps: [{recipients: ['0a1b'], \(Self.step.dropFirst()), \(Self.step)]}"
    )
    let other = scenario.sending(to: Setting(Self.id, .setting("--channel")))
    #expect(other.channelToCreate == nil)
    #expect(ids(other) == [[nil, Self.id], Self.all(Self.id)])
    let devices = try read("{recipients: ['0a1b'], notification: {payload: {aps: {}}}}")
    #expect(ids(devices.sending(to: Setting(Self.id, .setting("--channel")))) == [[nil, nil]])
  }

  static let broken: [(text: String, rule: String, place: String, says: String)] = [
    ("{channel: 7, \(step.dropFirst())", "value", "channel", "a number, not text or an object"),
    ("{channel: {}, \(step.dropFirst())", "missing", "channel.create", "missing"),
    (
      "{channel: {create: {stor: true}}, \(step.dropFirst())", "key", "channel.create.stor",
      "not a known key"
    ),
    (
      "{channel: {create: {store: 1}}, \(step.dropFirst())", "value", "channel.create.store",
      "true or false"
    ),
    (
      "{recipients: ['0a1b'], channel: 'AAAA', \(step.dropFirst())", "value", "channel",
      "'recipients' and 'channel' cannot be used together"
    ),
    (
      "{steps: [{recipients: ['0a1b'], channel: 'AAAA', \(step.dropFirst())]}", "value",
      "steps[0].channel", "'recipients' and 'channel' cannot be used together"
    ),
    (
      "{channel: {create: {}}, steps: [{channel: {create: {}}, \(step.dropFirst())]}", "value",
      "steps[0].channel", "has a channel already"
    ),
    ("{channel: '{{channel}}', \(step.dropFirst())", "missing", "channel", "has none"),
    (
      "{steps: [{channel: '{{channel}}', \(step.dropFirst())]}", "missing", "channel", "has none"
    ),
    (
      "{channel: 'AAAA', variables: {channel: 1}, \(step.dropFirst())", "value",
      "variables.channel", "the scenario's channel"
    ),
  ]

  @Test("Tells what is wrong, and where", arguments: broken)
  func tells(_ row: (text: String, rule: String, place: String, says: String)) throws {
    let problems = ScenarioReader(file: "app/s.json5") { _ in nil }
      .readInPart(Array(row.text.utf8)).problems
    let problem = try #require(problems.first, "\(row.text)")
    #expect(problems.count == 1 && problem.rule == "scenario-\(row.rule)")
    #expect(problem.place.description == row.place && problem.message.contains(row.says))
    #expect(problem.line == 1 && !problem.fix.isEmpty)
  }

  /// Where each step goes, and what `{{channel}}` is in it.
  private func ids(_ scenario: Scenario) -> [[String?]] {
    scenario.steps.map { step in
      let settings = scenario.settings(for: step)
      return [settings.channel?.value, settings.variables["channel"]?.value.string]
    }
  }

  private static func all(_ id: String) -> [String?] { [id, id] }

  private func read(_ text: String, files: [String: String] = [:]) throws -> Scenario {
    try ScenarioReader(file: "app/s.json5") { files[$0].map { Array($0.utf8) } }
      .read(Array(text.utf8))
  }
}
