package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;
import static org.understudy.container.Soap.notebook;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.NoticesSilence;
import org.understudy.test.strategy.ForEachStrategy;

/** Requests that arrive while the replicas agree on a view are parked, and go on when there is one. */
@ForEachStrategy
class HeldRequestHttpTest {
  @TempDir Path directory;

  private static CompletableFuture<Answer> untilDone(ServiceCluster site, int[] replicas, String session, int sequence, int attempt) {
    int replica = replicas[attempt % replicas.length];
    return site.callLater(replica, envelope(header(session, sequence, attempt + 1), notebook("append", "x")))
        .thenCompose(answer -> {
          if (answer.status() == 200) {
            return CompletableFuture.completedFuture(answer);
          }
          assertTrue(attempt < 2_000, answer.text());
          return CompletableFuture.supplyAsync(() -> attempt + 1,
                  CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS))
              .thenCompose(next -> untilDone(site, replicas, session, sequence, next));
        });
  }

  @Test
  @NoticesSilence(because = "a replica that is left out twice waits for a multiple of the suspicion time")
  void eachIsExecutedOnce() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of())) {
      for (int round = 0; round < 3; round++) {
        int first = site.primary();
        String session = site.openSession();
        site.call(first, envelope("", notebook("clear", null)));
        site.stop(first);
        int[] others = {first % 3 + 1, (first + 1) % 3 + 1};
        List<CompletableFuture<Answer>> all = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
          all.add(untilDone(site, others, session, i, i % 2));
        }
        TreeSet<Integer> lengths = new TreeSet<>();
        for (CompletableFuture<Answer> one : all) {
          lengths.add(one.orTimeout(60, TimeUnit.SECONDS).join().between("<return>", "</return>").length());
        }
        assertEquals(200, lengths.size());
        assertEquals(200, lengths.last());
        site.start(first);
        Condition.await(() -> site.health(first, "ready").statusCode() == 200);
        // All three are needed before the next one may go.
        Condition.await(() -> site.health(site.primary(), "primary").body().matches("(?s).*\"members\":\\[\\d, \\d, \\d\\].*"));
      }
    }
  }
}
