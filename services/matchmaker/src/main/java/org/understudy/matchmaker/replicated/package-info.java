/** The Matchmaker with its whole state as one replicated resource. */
package org.understudy.matchmaker.replicated;
