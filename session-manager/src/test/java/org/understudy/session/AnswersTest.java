package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.replication.api.FailureCode;

class AnswersTest {
  @ParameterizedTest
  @EnumSource(FailureCode.class)
  void onlyATemporaryFailureInvitesToRetry(FailureCode code) {
    assertEquals(!code.isTerminal(), Answers.status(code) == 503);
  }
}
