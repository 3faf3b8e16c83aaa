package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What errors of databases mean for the transaction that meets them. */
class FailureTest {
  private static Failure of(String state, int code) {
    return Failure.of(new IllegalStateException(new SQLException("error", state, code)));
  }

  /** Seen when a primary closed the database to roll a branch back: a null pointer within H2, in a session that was being closed. */
  @Test
  void anErrorWithinH2EndsTheTransaction() {
    assertEquals(Failure.CONNECTION, of("HY000", 50000));
    assertEquals(Failure.STATEMENT, of("42000", 42000));
  }

  @Test
  void aLockThatIsNotGrantedIsAConflictAndAWrongValueIsNot() {
    assertEquals(Failure.CONFLICT, of("HYT00", 50200));
    assertEquals(Failure.CONFLICT, of("40001", 40001));
    assertEquals(Failure.DUPLICATE, of("23505", 23505));
    assertEquals(Failure.DATA, of("22001", 22001));
  }
}
