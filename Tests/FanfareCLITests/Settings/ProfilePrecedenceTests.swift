import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Settings
@testable import Tools

/// Each layer is taken away in turn, from the highest down, and the next one counts.
@Suite("A setting")
struct ProfilePrecedenceTests {
  struct Row: CustomTestStringConvertible {
    /// What it is called in `config show`.
    var setting: String
    /// The layers that say it, the highest first, and what then holds.
    var layers: [(layer: Layer, value: String?)]
    var testDescription: String { setting }
  }

  enum Layer {
    case option([String])
    case scenario(String)
    case variable(String, String)
    case profile(String)
    case nobody
  }

  static let rows = [
    Row(
      setting: "bundleID",
      layers: [
        (.option(["--bundle-id", "a.option"]), "a.option"),
        (.scenario("bundleID: 'a.scenario'"), "a.scenario"),
        (.variable("FANFARE_BUNDLE_ID", "a.variable"), "a.variable"),
        (.profile("bundleID: 'a.profile'"), "a.profile"), (.nobody, nil),
      ]),
    Row(
      setting: "environment",
      layers: [
        (.option(["--env", "auto"]), "auto"),
        (.scenario("environment: 'production'"), "production"),
        (.variable("FANFARE_ENV", "sandbox"), "sandbox"),
        (.profile("environment: 'emulator'"), "emulator"), (.nobody, nil),
      ]),
    Row(
      setting: "ca",
      layers: [
        (.option(["--ca", "option.pem"]), "option.pem"),
        (.variable("FANFARE_CA", "variable.pem"), "variable.pem"),
        (.profile("ca: '/profile.pem'"), "/profile.pem"), (.nobody, nil),
      ]),
    Row(
      setting: "key",
      layers: [
        (.option(["--key", "option.p8"]), "option.p8"),
        (.scenario("credentials: {key: 'scenario.p8'}"), "scenario.p8"),
        (.variable("FANFARE_KEY", "-----BEGIN PRIVATE KEY-----"), "FANFARE_KEY is set"),
        (.profile("credentials: {key: '/profile.p8'}"), "/profile.p8"), (.nobody, nil),
      ]),
    Row(
      setting: "proxy",
      layers: [
        (.option(["--proxy", "http://option"]), "http://option"),
        (.variable("HTTPS_PROXY", "http://ada:secret@variable"), "…@variable"),
        (.profile("proxy: 'http://profile'"), "http://profile"), (.nobody, nil),
      ]),
    Row(
      setting: "history",
      layers: [
        (.option(["--history", "option"]), "option"),
        (.variable("FANFARE_HISTORY", "variable"), "variable"),
        (.profile("history: '/profile'"), "/profile"),
      ]),
    limit("port", ["--port", "443"], "443", "port: 2197", "2197", nil),
    limit("connections", ["--connections", "2"], "2", "connections: 'auto'", "auto", "auto"),
    Row(
      setting: "connections",
      layers: [
        (.option(["--connections", "auto"]), "auto"), (.scenario("connections: 4"), "4"),
        (.profile("connections: 3"), "3"), (.nobody, "auto"),
      ]),
    Row(
      setting: "connections",
      layers: [(.scenario("connections: 'auto'"), "auto"), (.profile("connections: 3"), "3")]),
    limit("rate", ["--rate", "2/s"], "2/s", "rate: '30/m'", "30/m", nil),
    limit("timeout", ["--timeout", "30s"], "30s", "timeout: '5s'", "5s", "30s"),
    limit("retries", ["--retries", "0"], "0", "retries: 4", "4", "0"),
    limit("retryDelay", ["--retry-delay", "15m"], "15m", "retryDelay: '1s'", "1s", "15m"),
    Row(
      setting: "variables.name",
      layers: [
        (.scenario("variables: {name: 'Ada'}"), "\"Ada\""),
        (.profile("variables: {name: 7}"), "7"),
      ]),
  ]

  private static func limit(
    _ name: String, _ words: [String], _ option: String, _ text: String, _ profile: String,
    _ usual: String?
  ) -> Row {
    Row(
      setting: name,
      layers: [(.option(words), option), (.profile(text), profile), (.nobody, usual)])
  }

  @Test(
    "is the option's, the scenario's, the variable's, the profile's, and then built in",
    arguments: rows)
  func precedence(_ row: Row) throws {
    for count in row.layers.indices {
      let layers = row.layers[count...].map(\.layer)
      let setting = try withTemporaryFolder { folder in
        try settings(layers, folder).first { $0.name == row.setting }
      }
      #expect(setting?.value == row.layers[count].value, "without \(count) layers")
      let isBuiltIn = if case .nobody = row.layers[count].layer { true } else { false }
      #expect((setting?.origin == nil) == isBuiltIn)
    }
  }

  /// What `config show` tells when these layers speak.
  private func settings(_ layers: [Layer], _ folder: TemporaryFolder) throws -> [ShownSetting] {
    var (words, profile, variables) = ([String](), "", ["HOME": folder.path])
    var scenario = "notification: {payload: {aps: {}}}"
    for layer in layers {
      switch layer {
      case .option(let said): words += said
      case .scenario(let said): scenario += ", " + said
      case .variable(let name, let value): variables[name] = value
      case .profile(let said): profile = said
      case .nobody: break
      }
    }
    try folder.makeFolder(".config/fanfare")
    try folder.write(
      ".config/fanfare/config.json", "{default: 'p', profiles: {p: {\(profile)}}}")
    let path = try folder.write("s.json5", "{\(scenario)}")
    var context = context(variables)
    context.configuration = Configuration(folder: nil, variables)
    let options = try ConfigShowCommand.parse(words + [path]).options
    return try ConfigShow(scenario: path, options: options, context: context).shown().map {
      // Paths of a scenario count from its folder.
      ShownSetting(
        name: $0.name, value: $0.value?.replacing(folder.path + "/", with: ""), origin: $0.origin)
    }
  }
}
