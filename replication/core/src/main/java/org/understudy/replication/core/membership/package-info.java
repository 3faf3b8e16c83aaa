/**
 * Views agreed by a majority: who is primary, and since when. Fences the past by epoch.
 *
 * <p>The page {@code docs/design/membership.md} has the glossary, the messages and the rules.
 */
package org.understudy.replication.core.membership;
