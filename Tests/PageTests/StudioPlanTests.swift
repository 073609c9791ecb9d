import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

/// A way on which a push leads to production.
struct WayToProduction: CustomTestStringConvertible {
  let name: String
  var scenario = ""
  /// The project's own settings: its default profile names the emulator.
  var project = #"{default: "p", profiles: {p: {environment: "emulator"}}}"#
  /// What they become once the page is there.
  var settings: String?
  var environment: [String: String] = [:]
  var devices = 1
  var testDescription: String { name }
}

extension StudioPageTests {
  @Suite("What the studio's page shows and asks before it sends")
  struct StudioPlans {
    private static let production = #"{default: "p", profiles: {p: {environment: "production"}}}"#
    private static let notification = #"notification: {payload: {aps: {alert: "Hi"}}}"#
    private static let base = """
      {bundleID: "com.example.shop", environment: "production", recipients: ["\(StudioPageTests.token)"]}
      """

    private static let ways: [WayToProduction] = [
      WayToProduction(name: "extends", scenario: #"extends: "base.json5""#),
      WayToProduction(
        name: "list", scenario: #"extends: "base.json5", recipients: ["lists/many.txt"]"#,
        devices: 20),
      WayToProduction(
        name: "auto",
        scenario:
          #"bundleID: "a.b", environment: "auto", recipients: ["\#(StudioPageTests.token)"]"#),
      WayToProduction(
        name: "variable", scenario: #"bundleID: "a.b", recipients: ["\#(StudioPageTests.token)"]"#,
        environment: ["FANFARE_ENV": "production"]),
      WayToProduction(
        name: "settings that change",
        scenario: #"bundleID: "a.b", recipients: ["\#(StudioPageTests.token)"]"#,
        settings: production),
      WayToProduction(
        name: "named device", scenario: #"bundleID: "a.b", recipients: ["device:phone"]"#,
        project: "{}"),
    ]

    /// Apple's hosts, and the variables that lead there.
    private func withApple(
      _ files: [String: String], _ environment: [String: String] = [:],
      _ body: (OpenStudio, StudioProcess) throws -> Void
    ) throws {
      let services = try AppleServices()
      try withOpenStudio(width: 1280, files: files) { fanfare in
        let roots = try fanfare.folder.write("ca.pem", services.authorities)
        _ = try fanfare.run([
          "device", "add", "phone", StudioPageTests.token, "--env", "production",
        ])
        return [
          "FANFARE_CA": roots, "HTTPS_PROXY": services.proxy.url,
          "FANFARE_KEY": fanfare.folder.file(keyFile), "FANFARE_KEY_ID": "ABC123DEFG",
          "FANFARE_TEAM_ID": "DEF123GHIJ",
        ].merging(environment) { $1 }
      } _: { studio, process in
        try withExtendedLifetime(services) { try body(studio, process) }
      }
    }

    @Test("asks for production, whoever says so, and sends nothing without a yes", arguments: ways)
    func asks(_ way: WayToProduction) throws {
      let files = [
        "base.json5": Self.base, "fanfare.json": way.project, "lists/many.txt": tokenList(20),
        "child.json5": "{\(way.scenario), \(Self.notification)}",
      ]
      try withApple(files, way.environment) { studio, _ in
        try studio.choose("child.json5")
        if let settings = way.settings {
          try studio.wait(for: "emulator · 1 device", in: "#plan")
          try studio.project.write("fanfare.json", settings)
        } else {
          try studio.wait(for: "production", in: "#plan")
          try studio.wait(for: way.devices == 1 ? "1 device" : "20 devices", in: "#plan")
        }
        try studio.pressSend()
        try studio.wait(for: "Send to production?", in: "#dialog")
        try studio.wait(for: way.devices == 1 ? "1 device" : "20 pushes", in: "#dialog")
        // Enter alone does not send.
        try studio.browser.press(.enter)
        try studio.browser.wait(until: "!document.querySelector('#dialog').open")
        #expect(try studio.fanfare.run(["history", "list", "--json"]).output == "")
      }
    }

    @Test("sends what was agreed to, and asks again when that is another plan by then")
    func changedPlan() throws {
      let files = [
        "child.json5": """
        {bundleID: "com.example.shop", environment: "production",
         recipients: ["lists/few.txt"], \(Self.notification)}
        """,
        "lists/few.txt": tokenList(2),
      ]
      try withApple(files) { studio, _ in
        try studio.choose("child.json5")
        try studio.wait(for: "production · 2 devices · com.example.shop", in: "#plan")
        try studio.wait(for: "Send to production", in: "#send")
        try studio.pressSend()
        try studio.wait(for: "production: 2 pushes for com.example.shop", in: "#dialog")
        try studio.project.write("lists/few.txt", tokenList(3))
        try studio.browser.click("#dialog .main")
        try studio.wait(for: "production: 3 pushes for com.example.shop", in: "#dialog")
        try studio.wait(for: "the plan has changed", in: "#answer")
        #expect(try studio.fanfare.run(["history", "list", "--json"]).output == "")
        try studio.browser.click("#dialog .main")
        try studio.wait(for: "3 of 3 pushes accepted", in: "#answer")
        let run = try JSON(text: studio.fanfare.run(["history", "show", "--json"]).output)
        #expect(run["environment"] == "production" && run["accepted"]?.int == 3)
      }
    }

    @Test("tells devices, pushes and steps apart")
    func counts() throws {
      let step = "{\(Self.notification)}"
      let files = [
        "three.json5": """
        {bundleID: "a.b", environment: "emulator", recipients: ["\(StudioPageTests.token)"],
         steps: [\(step), {wait: "1ms"}, \(step), \(step)]}
        """,
        "many.json5": """
        {bundleID: "a.b", environment: "emulator", recipients: ["lists/many.txt"],
         steps: [\(step), \(step)]}
        """,
        "lists/many.txt": tokenList(5000),
      ]
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        try studio.choose("three.json5")
        try studio.wait(for: "1 device, 3 pushes in 3 steps", in: "#to-text")
        try studio.choose("many.json5")
        try studio.wait(for: "5,000 devices, 10,000 pushes in 2 steps", in: "#to-text")
        try studio.pressSend()
        try studio.wait(for: "10,000 of 10,000 pushes accepted", in: "#answer")
      }
    }
  }
}
