package org.understudy.container.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletConfig;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The replicas of several groups join one after another. */
class JoiningTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Joins as the test says. */
  private static class TestMember implements Joining.Member {
    final CountDownLatch joining = new CountDownLatch(1);
    final AtomicReference<String> halted = new AtomicReference<>();

    @Override
    public boolean joins() {
      return true;
    }

    @Override
    public URI address() {
      return URI.create("http://127.0.0.1:1/app");
    }

    @Override
    public void warmUp() {}

    @Override
    public void join() {
      joining.countDown();
    }

    @Override
    public void halt(String why, Throwable cause) {
      halted.set(why);
    }

    void awaitJoining() throws InterruptedException {
      assertTrue(joining.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    }
  }

  private static Joining start(TestMember... members) throws Exception {
    Joining joining = new Joining(List.of(members), context -> true);
    Object config =
        Proxy.newProxyInstance(
            JoiningTest.class.getClassLoader(), new Class<?>[] {ServletConfig.class}, (proxy, method, arguments) -> null);
    joining.init((ServletConfig) config);
    return joining;
  }

  @Test
  void aGroupThatFailsHaltsAloneAndTheNextOneJoins() throws Exception {
    TestMember first = new TestMember() {
      @Override
      public void join() {
        throw new IllegalStateException("no address");
      }
    };
    TestMember second = new TestMember();
    Joining joining = start(first, second);
    try {
      second.awaitJoining();
      assertEquals("it cannot join its group (java.lang.IllegalStateException: no address)", first.halted.get());
    } finally {
      joining.close();
    }
    assertNull(second.halted.get());
  }

  @Test
  void closingInterruptsAGroupThatBlocks() throws Exception {
    TestMember first = new TestMember() {
      @Override
      public void join() {
        super.join();
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
    TestMember second = new TestMember();
    Joining joining = start(first, second);
    first.awaitJoining();
    assertTimeoutPreemptively(TIMEOUT, joining::close);
    assertEquals(1, second.joining.getCount(), "the web application has ended");
  }
}
