package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;

/** A method that runs for long has the same result at each replica, and those who wait for it keep no place of others. */
class LongForwardHttpTest {
  /** More than the threads of one client that wait for other replicas. */
  private static final int MANY = 20;

  private static final String SLOWLY = Soap.envelope("", Soap.notebook("appendSlowly", "a"));

  /** Returns forwarded requests of which one is executed, and the others wait for it. */
  private static List<CompletableFuture<Answer>> slowly(ServiceCluster site, int number) {
    List<CompletableFuture<Answer>> all = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      all.add(site.callLater(site.backup(), SLOWLY));
    }
    Condition.await("the execution begins", NotebookService.BEGUN::tryAcquire);
    return all;
  }

  private static void end(List<CompletableFuture<Answer>> all) {
    NotebookService.GO.release(all.size());
    for (CompletableFuture<Answer> one : all) {
      assertEquals(200, one.join().status(), one.join().text());
    }
  }

  /** Another request for the primary. */
  private static void createPullPoint(ServiceCluster site) {
    Answer answer = site.post(
        site.backup(), "/services/CreatePullPoint",
        Soap.envelope("", "<w:CreatePullPoint xmlns:w='http://docs.oasis-open.org/wsn/b-2'/>").getBytes(StandardCharsets.UTF_8),
        "text/xml; charset=UTF-8");
    assertEquals(200, answer.status(), answer.text());
  }

  @Test
  void aMethodMayRunLongerThanTheDeadlineOfARequest() throws Exception {
    NotebookService.endSlowRuns();
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of("understudy.request.deadline.ms", "300"))) {
      List<CompletableFuture<Answer>> slow = slowly(site, 1);
      Deadlines.awaitOne(site);
      assertFalse(slow.get(0).isDone());
      end(slow);
      assertEquals(1, NotebookService.EXECUTIONS.get());
    }
  }

  @Test
  void requestsThatWaitForLongLeaveTheirThreadsToOthers() throws Exception {
    NotebookService.endSlowRuns();
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of())) {
      List<CompletableFuture<Answer>> slow = slowly(site, MANY);
      createPullPoint(site);
      end(slow);
      assertEquals(MANY, NotebookService.EXECUTIONS.get());
    }
  }
}
