/** What the programs of the lab report with: durations, progress, invalid arguments, and a self-contained page with plots. */
package org.understudy.lab.report;
