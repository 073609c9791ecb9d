internal import CommandLineKit
internal import FanfareApp

extension DescribedFormat: ArgumentValue {}
