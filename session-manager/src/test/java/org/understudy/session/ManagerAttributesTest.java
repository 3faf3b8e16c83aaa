package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.session.member.SettingsException;

/** An expression that Tomcat has not replaced is never a value of an attribute. */
class ManagerAttributesTest {
  private final ReplicatedSessionManager manager = new ReplicatedSessionManager();

  @BeforeEach
  void complete() {
    manager.setReplica("1");
    manager.setPeers("1=127.0.0.1:17001,2=127.0.0.1:17002");
    manager.setSecret("a secret of sixteen characters");
    manager.setDirectory("record");
  }

  private void refused(String message) {
    assertEquals(message, assertThrows(SettingsException.class, () -> manager.memberSettings("shop")).getMessage());
  }

  @Test
  void theTextOfAnExpressionIsNotTheSecret() throws Exception {
    assertEquals("a secret of sixteen characters", manager.memberSettings("shop").secret());
    manager.setSecret("${webshop.secret}");
    refused("The attribute secret of the Manager element has ${webshop.secret}, and the system property webshop.secret is missing."
        + " Set it, for example in conf/catalina.properties.");
  }

  @Test
  void aDirectoryIsNotNamedLikeAnExpression() {
    manager.setDirectory("/var/lib/${shop.directory}/1");
    refused("The attribute directory of the Manager element has ${shop.directory}, and the system property shop.directory is missing."
        + " Set it, for example in conf/catalina.properties.");
  }

  @Test
  void onlyTheNamedWordsSayWhatHappensAtARestart() throws Exception {
    assertFalse(manager.memberSettings("shop").journal());
    manager.setJournal("disk");
    manager.setRestart("empty");
    assertTrue(manager.memberSettings("shop").journal() && manager.memberSettings("shop").startsEmpty());
    manager.setRestart("now");
    refused("The attribute restart of the Manager element is \"now\"; it must be wait or empty.");
    manager.setJournal("true");
    refused("The attribute journal of the Manager element is \"true\"; it must be none or disk.");
  }

  @Test
  void aShareIsAPercentage() throws Exception {
    assertEquals(50, manager.memberSettings("shop").clientPercent());
    manager.setClientShare(100);
    assertEquals(100, manager.memberSettings("shop").clientPercent());
    for (int share : new int[] {0, 101}) {
      manager.setClientShare(share);
      refused("The attribute clientShare of the Manager element is " + share + "; it must be from 1 to 100.");
    }
  }
}
