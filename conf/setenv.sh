# Read by Tomcat's catalina.sh: CATALINA_BASE/bin/setenv.sh.
#
# The heap: docs/operations.md, section Memory. By default understudy.held.bytes and understudy.held.polls may each take a fourth.
# The collector: the longest gap between two heartbeats under allocation pressure was 2.0 s with the serial collector, 0.8 s with
# G1 and 0.1 s with ZGC. A gap longer than understudy.suspect.ms (1 s by default) replaces the primary.
CATALINA_OPTS="$CATALINA_OPTS -Xms1g -Xmx1g -XX:+UseG1GC @$CATALINA_BASE/conf/jvm.options"
