/** A script as it may stand within a page. Within a text or a regular expression a character may be its number. */
export function inScript(script: string): string {
  const safe = script.replaceAll("</script", "<\\/script").replaceAll(/(["'`])<!--/g, "$1\\x3c!--");
  if (safe.includes("<!--")) throw new Error("the script holds <!--, which begins a comment of the page");
  return safe;
}
